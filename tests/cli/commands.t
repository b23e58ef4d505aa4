Commands, help, and what is said to those who mistype.

    $ jniguard --version
    jniguard 0.1.0

    $ jniguard check --version
    jniguard 0.1.0

    $ jniguard --help
    usage: jniguard COMMAND [OPTION]...
    Finds JNI protocol violations in native code.
    
      check      find JNI protocol violations
      unit       make the unit file of one translation unit, for build systems
      link       find JNI protocol violations in units made before
      rules      list every rule, one line each
      explain    show the page of a rule
      models     list what is known of functions, check files of models, or suggest one
      cache      what earlier runs have left to be used again
    
    'jniguard COMMAND --help' describes a command, 'jniguard --version' says which this is.
    Exit codes: 0 nothing found, 1 findings, 2 wrong usage or an error, 3 incomplete.

    $ jniguard
    usage: jniguard COMMAND [OPTION]...
    Finds JNI protocol violations in native code.
    
      check      find JNI protocol violations
      unit       make the unit file of one translation unit, for build systems
      link       find JNI protocol violations in units made before
      rules      list every rule, one line each
      explain    show the page of a rule
      models     list what is known of functions, check files of models, or suggest one
      cache      what earlier runs have left to be used again
    
    'jniguard COMMAND --help' describes a command, 'jniguard --version' says which this is.
    Exit codes: 0 nothing found, 1 findings, 2 wrong usage or an error, 3 incomplete.
    [2]

    $ jniguard chek a.c
    jniguard: unknown command 'chek'; did you mean 'check'?
    [2]

    $ jniguard sarif
    jniguard: unknown command 'sarif'; 'jniguard --help' lists them
    [2]

    $ jniguard --stats check
    jniguard: option '--stats' stands before the command; 'jniguard --help' shows the order
    [2]

    $ jniguard --vresion
    jniguard: unknown option '--vresion'; did you mean '--version'?
    [2]

    $ jniguard version
    jniguard 0.1.0

    $ jniguard help explain
    usage: jniguard explain RULE
    show the page of a rule
    
      -h, --help                       this text
          --version                    the version

    $ jniguard help | head -n 1
    usage: jniguard COMMAND [OPTION]...

    $ jniguard help chek
    jniguard: unknown command 'chek'; did you mean 'check'?
    [2]

    $ jniguard check --help
    usage: jniguard check [OPTION]... [FILE|FOLDER|GLOB]... [-- COMPILE ARGS]
    find JNI protocol violations
    
      -p DIR|FILE                      build folder or compile_commands.json; default: searched for
      -j N                             units parsed and functions explored side by side; default: as
                                       many as there are cores that this process may use
          --format F[=PATH]            output format: text (default) or json; several may be given, each
                                       with its own file
          --fail-on LEVEL              exit code 1 from this severity on: note (shows notes, too),
                                       warning (default), error, never; only findings that are shown
                                       count
          --rule ID[,ID]               only these rules
          --no-rule ID[,ID]            not these rules
          --family NAME[,NAME]         only the rules of these families
          --min-confidence LEVEL       show from this confidence on: high, medium (default), low
          --min-severity LEVEL         show from this severity on: error, warning (default), note
          --extra-arg ARG              add an argument to every compile command
          --remove-arg ARG             drop an argument (or glob) from every compile command
          --models FILE                add models: what functions do whose bodies are not at hand; may
                                       be given several times
          --path-map FROM=TO           read paths of the database below FROM as below TO: it was made in
                                       a container or another checkout
          --isolated                   with FILE: look at that file alone; by default all units of the
                                       database are parsed and linked, since they tell what its
                                       functions call
          --timeout SECONDS            give a unit, or a function, up after that time; default: 120, 0:
                                       never
          --no-cache                   neither use nor keep what other runs have parsed ('jniguard cache
                                       info' says where it lies)
          --progress plain|none        one line a unit, or none; default: one rewritten line on a
                                       terminal
          --stats                      what the run cost and what it could not see, on stderr
          --explain-function NAME      print what is known of a function, and where that comes from,
                                       instead
          --explain-finding FINGERPRINT
                                       print a finding with all that speaks for and against it, shown or
                                       not, instead; its first digits will do
          --dump-cfg FUNCTION          print the control-flow graph of a function instead
          --debug-object FILE:LINE     print the state of the objects made on that line at every block
                                       instead
      -h, --help                       this text
          --version                    the version

    $ jniguard rules --help
    usage: jniguard rules [OPTION]...
    list every rule, one line each
    
          --format text|json           output format: text (default) or json
      -h, --help                       this text
          --version                    the version

    $ jniguard explain --help
    usage: jniguard explain RULE
    show the page of a rule
    
      -h, --help                       this text
          --version                    the version

Rules, one line each; only those that are built.

    $ jniguard rules | grep local-ref-escape
    local-ref-escape               references error    high    A local reference is kept in a place that outlives the native method

    $ jniguard rules --format json | grep '"critical-jni-call"'
    {"id":"critical-jni-call","family":"critical","severity":"error","confidence":"high","cwe":833,"title":"A JNI function is called inside a critical region"}

    $ jniguard rules | grep -c local-ref-on-no-account
    0
    [1]

    $ jniguard rules --format yaml
    jniguard: 'rules' has no format 'yaml'; there are text, json
    [2]

    $ jniguard rules local-ref-escape
    jniguard: 'rules' takes no argument; 'jniguard explain local-ref-escape' shows one rule
    [2]

    $ jniguard rules --rule local-ref-escape
    jniguard: unknown option '--rule'; 'jniguard rules --help' lists them
    [2]

The page of a rule; not on a terminal it is the Markdown itself.

    $ jniguard explain local-ref-escape | head -n 1
    # local-ref-escape

    $ jniguard explain local-ref-escap
    jniguard: no rule is called 'local-ref-escap'; did you mean 'local-ref-escape'?
    [2]

    $ jniguard explain zzz
    jniguard: no rule is called 'zzz'; 'jniguard rules' lists them
    [2]

    $ jniguard explain
    jniguard: explain which rule? 'jniguard rules' lists them
    [2]

    $ jniguard explain local-ref-escape critical-jni-call
    jniguard: explain takes one rule, not 2
    [2]

    $ jniguard explain id-unknown-member
    jniguard: rule 'id-unknown-member' (The class has no such member) is not built yet and has no page
    [2]

Options.

    $ jniguard check --min-confidnce low
    jniguard: unknown option '--min-confidnce'; did you mean '--min-confidence'?
    [2]

    $ jniguard check --min-sev note
    jniguard: unknown option '--min-sev'; did you mean '--min-severity'?
    [2]

    $ jniguard check src/geo.c -Iinc
    jniguard: unknown option '-Iinc'; compile arguments go after '--'
    [2]

    $ jniguard check --min-confidence lots a.c --
    jniguard: --min-confidence is high, medium or low, not 'lots'
    [2]

    $ jniguard check --min-severity=fatal a.c --
    jniguard: --min-severity is error, warning or note, not 'fatal'
    [2]

    $ jniguard check --fail-on sometimes a.c --
    jniguard: --fail-on is note, warning, error or never, not 'sometimes'
    [2]

    $ jniguard check --rule local-ref-leak-in-lop a.c --
    jniguard: no rule is called 'local-ref-leak-in-lop'; did you mean 'local-ref-leak-in-loop'?
    [2]

    $ jniguard check --no-rule x,local-ref-escape a.c --
    jniguard: no rule is called 'x'; 'jniguard rules' lists them
    [2]

    $ jniguard check --family reference a.c --
    jniguard: no family is called 'reference'; there are references, exceptions, critical, buffers, threads, types, cost
    [2]

    $ jniguard check --rule= a.c --
    jniguard: --rule= names no rule
    [2]

    $ jniguard check --family , a.c --
    jniguard: --family=, names no family
    [2]

Asking for nothing but what is not built yet is an error; leaving it out is none.

    $ jniguard check --rule final-field-write a.c --
    jniguard: --rule final-field-write: not built yet; 'jniguard rules' lists those that are
    [2]

    $ jniguard check --family types a.c --
    jniguard: --family types: not built yet; 'jniguard rules' lists those that are
    [2]

    $ echo 'int a;' >a.c
    > jniguard check --rule ref-double-delete,local-ref-escape --no-rule ref-double-delete a.c --
    jniguard: 1 unit, 0 functions, 0 findings, 0 suppressed, in <time> s; no JNI call found

    $ jniguard check --format xml a.c --
    jniguard: no format is called 'xml'; there are text, json
    [2]

    $ jniguard check --format json= a.c --
    jniguard: --format json= names no file
    [2]

    $ jniguard check --format json --format text a.c --
    jniguard: only one format can go to standard output; give the others --format F=PATH
    [2]

    $ jniguard check --progress fancy a.c --
    jniguard: --progress is plain or none, not 'fancy'
    [2]

    $ jniguard check --format
    jniguard: option '--format' needs a value: F[=PATH]
    [2]

    $ jniguard check --stats=yes
    jniguard: option '--stats' takes no value
    [2]

    $ jniguard check -p build a.c -- -Iinc
    jniguard: -p and '-- COMPILE ARGS' exclude each other
    [2]

    $ jniguard check -- -Iinc
    jniguard: '-- COMPILE ARGS' needs a file before it
    [2]

What is not built yet does not exist yet.

    $ jniguard check --baseline old.json
    jniguard: unknown option '--baseline'; 'jniguard check --help' lists them
    [2]
