// SPDX-License-Identifier: Apache-2.0
//
// Operators on constants.

#include "analyzer/ir/ir.h"

bool jg_fold(enum jg_bin op, bool is_unsigned, int64_t a, int64_t b, int64_t *r)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (op) {
    case JG_BIN_ADD:
        *r = (int64_t)(x + y);
        return true;
    case JG_BIN_SUB:
        *r = (int64_t)(x - y);
        return true;
    case JG_BIN_MUL:
        *r = (int64_t)(x * y);
        return true;
    case JG_BIN_DIV:
        if (!b || (a == INT64_MIN && b == -1))
            return false;
        *r = is_unsigned ? (int64_t)(x / y) : a / b;
        return true;
    case JG_BIN_REM:
        if (!b || (a == INT64_MIN && b == -1))
            return false;
        *r = is_unsigned ? (int64_t)(x % y) : a % b;
        return true;
    case JG_BIN_SHL:
        *r = (int64_t)(x << (y & 63));
        return y < 64;
    case JG_BIN_SHR:
        *r = is_unsigned ? (int64_t)(x >> (y & 63)) : a >> (y & 63);
        return y < 64;
    case JG_BIN_AND:
        *r = a & b;
        return true;
    case JG_BIN_OR:
        *r = a | b;
        return true;
    case JG_BIN_XOR:
        *r = a ^ b;
        return true;
    case JG_BIN_EQ:
        *r = a == b;
        return true;
    case JG_BIN_NE:
        *r = a != b;
        return true;
    case JG_BIN_LT:
        *r = is_unsigned ? x < y : a < b;
        return true;
    case JG_BIN_LE:
        *r = is_unsigned ? x <= y : a <= b;
        return true;
    case JG_BIN_GT:
        *r = is_unsigned ? x > y : a > b;
        return true;
    case JG_BIN_GE:
        *r = is_unsigned ? x >= y : a >= b;
        return true;
    }
    return false;
}
