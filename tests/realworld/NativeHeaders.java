// SPDX-License-Identifier: Apache-2.0
//
// Writes the C headers that `javac -h` would write, for every class of the running JDK, from its
// class files (the jrt:/ file system) rather than from its sources: many of the JDK's own sources
// are generated while it is built, and C needs nothing of them but prototypes and constants.
//
//   java NativeHeaders.java OUT           one folder a module: OUT/java.base/java_lang_Object.h
//   java NativeHeaders.java OUT DIR       the same for a class files below DIR instead
//
// One difference: javac writes a header for a class that has a native method or a constant marked
// @Native. That annotation is not in the class file, so a class with any primitive constant gets a
// header here. Extra headers and nothing else.

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

public class NativeHeaders {
    static final int ACC_STATIC = 0x8, ACC_FINAL = 0x10, ACC_NATIVE = 0x100;

    record Constant(String name, String text) {}

    record Native(String name, String descriptor, boolean isStatic) {}

    /** What a header needs of a class; binary names with '/'. */
    record Klass(String module, String name, String parent, List<Constant> constants,
                 List<Native> natives) {}

    static final Map<String, Klass> classes = new HashMap<>();

    public static void main(String[] args) throws IOException {
        Path out = Path.of(args[1]);
        try (FileSystem image = FileSystems.newFileSystem(URI.create("jrt:/"),
                                                          Map.of("java.home", args[0]));
             Stream<Path> list = Files.list(image.getPath("/modules"))) {
            for (Path module : (Iterable<Path>) list::iterator) {
                readTree(module, module.getFileName().toString());
            }
        }
        boolean only = args.length > 2;
        if (only) {
            readTree(Path.of(args[2]), "");
        }
        int written = 0;
        for (Klass k : classes.values()) {
            if (only == k.module.isEmpty() && !(k.constants.isEmpty() && k.natives.isEmpty())) {
                Path dir = out.resolve(k.module);
                Files.createDirectories(dir);
                Files.writeString(dir.resolve(k.name.replaceAll("[/$]", "_") + ".h"), header(k));
                written++;
            }
        }
        System.err.println(written + " headers from " + classes.size() + " classes");
    }

    static void readTree(Path root, String module) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(p -> p.toString().endsWith(".class")
                              && !p.toString().endsWith("-info.class")).forEach(p -> {
                try {
                    Klass k = parse(Files.readAllBytes(p), module);
                    classes.put(k.name, k);
                } catch (IOException e) {
                    throw new UncheckedIOException(p.toString(), e);
                }
            });
        }
    }

    /** The class file format, chapter 4 of the JVM specification; only what is wanted is kept. */
    static Klass parse(byte[] bytes, String module) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        in.skipBytes(8);
        int n = in.readUnsignedShort();
        Object[] pool = new Object[n];
        for (int i = 1; i < n; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> pool[i] = in.readUTF();
                case 3 -> pool[i] = in.readInt();
                case 4 -> pool[i] = in.readFloat();
                case 5 -> pool[i++] = in.readLong();
                case 6 -> pool[i++] = in.readDouble();
                case 7 -> pool[i] = new int[] {in.readUnsignedShort()};
                case 8, 16, 19, 20 -> in.skipBytes(2);
                case 15 -> in.skipBytes(3);
                case 9, 10, 11, 12, 17, 18 -> in.skipBytes(4);
                default -> throw new IOException("constant pool tag " + tag);
            }
        }
        in.skipBytes(2);
        String name = className(pool, in.readUnsignedShort());
        String parent = className(pool, in.readUnsignedShort());
        in.skipBytes(2 * in.readUnsignedShort());

        List<Constant> constants = new ArrayList<>();
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            int flags = in.readUnsignedShort();
            String field = (String) pool[in.readUnsignedShort()];
            String type = (String) pool[in.readUnsignedShort()];
            for (int a = in.readUnsignedShort(); a > 0; a--) {
                Object attribute = pool[in.readUnsignedShort()];
                int length = in.readInt();
                if (attribute.equals("ConstantValue") && (flags & ACC_STATIC) != 0
                    && (flags & ACC_FINAL) != 0 && type.length() == 1) {
                    constants.add(new Constant(field,
                                               literal(type, pool[in.readUnsignedShort()])));
                } else {
                    in.skipBytes(length);
                }
            }
        }
        List<Native> natives = new ArrayList<>();
        for (int i = in.readUnsignedShort(); i > 0; i--) {
            int flags = in.readUnsignedShort();
            String method = (String) pool[in.readUnsignedShort()];
            String type = (String) pool[in.readUnsignedShort()];
            for (int a = in.readUnsignedShort(); a > 0; a--) {
                in.skipBytes(2);
                in.skipBytes(in.readInt());
            }
            if ((flags & ACC_NATIVE) != 0) {
                natives.add(new Native(method, type, (flags & ACC_STATIC) != 0));
            }
        }
        return new Klass(module, name, parent, constants, natives);
    }

    static String className(Object[] pool, int index) {
        return index == 0 ? null : (String) pool[((int[]) pool[index])[0]];
    }

    static String literal(String type, Object value) {
        return switch (type) {
            case "J" -> value + "LL";
            case "F" -> floating((Float) value, "f");
            case "D" -> floating((Double) value, Double.isInfinite((Double) value) ? "D" : "");
            default -> value + "L";
        };
    }

    static String floating(Number value, String suffix) {
        return value.toString().replace("Infinity", "Inf") + suffix;
    }

    static String header(Klass k) {
        String cname = mangleClass(k.name);
        StringBuilder s = new StringBuilder();
        s.append("/* DO NOT EDIT THIS FILE - it is machine generated */\n#include <jni.h>\n");
        s.append("/* Header for class ").append(cname).append(" */\n\n");
        s.append("#ifndef _Included_").append(cname).append('\n');
        s.append("#define _Included_").append(cname).append('\n');
        s.append("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
        constants(s, k, cname);
        for (Native m : k.natives) {
            prototype(s, k, m);
        }
        if (k.natives.isEmpty()) {
            s.append('\n');
        }
        s.append("#ifdef __cplusplus\n}\n#endif\n#endif\n");
        return s.toString();
    }

    /** Inherited constants come first and bear the name of the class that inherits them. */
    static void constants(StringBuilder s, Klass k, String cname) {
        Klass parent = k.parent == null ? null : classes.get(k.parent);
        if (parent != null) {
            constants(s, parent, cname);
        }
        for (Constant c : k.constants) {
            String name = cname + "_" + mangleField(c.name);
            s.append("#undef ").append(name).append('\n');
            s.append("#define ").append(name).append(' ').append(c.text).append('\n');
        }
    }

    static void prototype(StringBuilder s, Klass k, Native m) {
        boolean overloaded = k.natives.stream().filter(o -> o.name.equals(m.name)).count() > 1;
        int close = m.descriptor.indexOf(')');
        String parameters = m.descriptor.substring(1, close);
        s.append("/*\n * Class:     ").append(mangleClass(k.name)).append('\n');
        s.append(" * Method:    ").append(mangleField(m.name)).append('\n');
        s.append(" * Signature: ").append(m.descriptor).append("\n */\n");
        s.append("JNIEXPORT ").append(ctype(m.descriptor.substring(close + 1)));
        s.append(" JNICALL Java_").append(mangleJni(k.name)).append('_').append(mangleJni(m.name));
        if (overloaded) {
            s.append("__").append(mangleJni(parameters));
        }
        s.append("\n  (JNIEnv *, ").append(m.isStatic ? "jclass" : "jobject");
        for (int i = 0; i < parameters.length();) {
            int end = i;
            while (parameters.charAt(end) == '[') {
                end++;
            }
            end = parameters.charAt(end) == 'L' ? parameters.indexOf(';', end) + 1 : end + 1;
            s.append(", ").append(ctype(parameters.substring(i, end)));
            i = end;
        }
        s.append(");\n\n");
    }

    static String ctype(String descriptor) {
        return switch (descriptor.charAt(0)) {
            case 'V' -> "void";
            case 'Z' -> "jboolean";
            case 'B' -> "jbyte";
            case 'C' -> "jchar";
            case 'S' -> "jshort";
            case 'I' -> "jint";
            case 'J' -> "jlong";
            case 'F' -> "jfloat";
            case 'D' -> "jdouble";
            case '[' -> "L[".indexOf(descriptor.charAt(1)) >= 0
                ? "jobjectArray" : ctype(descriptor.substring(1)) + "Array";
            default -> reference(descriptor.substring(1, descriptor.length() - 1));
        };
    }

    static String reference(String name) {
        if (name.equals("java/lang/String")) {
            return "jstring";
        }
        if (name.equals("java/lang/Class")) {
            return "jclass";
        }
        for (Klass k = classes.get(name); k != null; k = classes.get(String.valueOf(k.parent))) {
            if (k.name.equals("java/lang/Throwable")) {
                return "jthrowable";
            }
        }
        return "jobject";
    }

    static boolean plain(char c) {
        return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
    }

    static String mangleClass(String name) {
        return mangleField(name.replaceAll("[/$]", "_"));
    }

    static String mangleField(String name) {
        StringBuilder s = new StringBuilder();
        for (char c : name.toCharArray()) {
            s.append(plain(c) || c == '_' ? String.valueOf(c) : String.format("_%05x", (int) c));
        }
        return s.toString();
    }

    /** Chapter 2 of the JNI specification, "Resolving Native Method Names". */
    static String mangleJni(String name) {
        StringBuilder s = new StringBuilder();
        for (char c : name.toCharArray()) {
            s.append(plain(c) ? String.valueOf(c) : switch (c) {
                case '/' -> "_";
                case '_' -> "_1";
                case ';' -> "_2";
                case '[' -> "_3";
                default -> String.format("_0%04x", (int) c);
            });
        }
        return s.toString();
    }
}
