# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a header with an array of all functions of the C library (C11, without threads and Annex K)."""

FUNCTIONS = {
    "stdio.h": """
        remove rename tmpfile tmpnam fclose fflush fopen freopen setbuf setvbuf fprintf fscanf printf
        scanf snprintf sprintf sscanf vfprintf vfscanf vprintf vscanf vsnprintf vsprintf vsscanf fgetc
        fgets fputc fputs getc getchar putc putchar puts ungetc fread fwrite fgetpos fseek fsetpos ftell
        rewind clearerr feof ferror perror""",
    "stdlib.h": """
        atof atoi atol atoll strtod strtof strtold strtol strtoll strtoul strtoull rand srand
        aligned_alloc calloc free malloc realloc abort atexit at_quick_exit exit _Exit getenv quick_exit
        system bsearch qsort abs labs llabs div ldiv lldiv mblen mbtowc wctomb mbstowcs wcstombs""",
    "string.h": """
        memcpy memmove strcpy strncpy strcat strncat memcmp strcmp strcoll strncmp strxfrm memchr strchr
        strcspn strpbrk strrchr strspn strstr strtok memset strerror strlen""",
    "time.h": """
        clock difftime mktime time asctime ctime gmtime localtime strftime timespec_get""",
    "signal.h": """
        signal raise""",
    "locale.h": """
        setlocale localeconv""",
    "inttypes.h": """
        imaxabs imaxdiv strtoimax strtoumax wcstoimax wcstoumax""",
    "ctype.h": """
        isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit
        tolower toupper""",
    "fenv.h": """
        feclearexcept fegetexceptflag feraiseexcept fesetexceptflag fetestexcept fegetround fesetround
        fegetenv feholdexcept fesetenv feupdateenv""",
    "uchar.h": """
        mbrtoc16 c16rtomb mbrtoc32 c32rtomb""",
    "wchar.h": """
        fwprintf fwscanf swprintf swscanf vfwprintf vfwscanf vswprintf vswscanf vwprintf vwscanf wprintf
        wscanf fgetwc fgetws fputwc fputws fwide getwc getwchar putwc putwchar ungetwc wcstod wcstof
        wcstold wcstol wcstoll wcstoul wcstoull wcscpy wcsncpy wmemcpy wmemmove wcscat wcsncat wcscmp
        wcscoll wcsncmp wcsxfrm wmemcmp wcschr wcscspn wcspbrk wcsrchr wcsspn wcsstr wcstok wmemchr
        wcslen wmemset wcsftime btowc wctob mbsinit mbrlen mbrtowc wcrtomb mbsrtowcs wcsrtombs""",
    "wctype.h": """
        iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace
        iswupper iswxdigit iswctype wctype towlower towupper towctrans wctrans""",
}
# Those with variants for float and long double.
NUMERIC = {
    "math.h": """
        acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 frexp ilogb
        ldexp log log10 log1p log2 logb modf scalbn scalbln cbrt fabs hypot pow sqrt erf erfc lgamma
        tgamma ceil floor nearbyint rint lrint llrint round lround llround trunc fmod remainder remquo
        copysign nan nextafter nexttoward fdim fmax fmin fma""",
    "complex.h": """
        cacos casin catan ccos csin ctan cacosh casinh catanh ccosh csinh ctanh cexp clog cabs cpow csqrt
        carg cimag conj cproj creal""",
}

names = [name for text in FUNCTIONS.values() for name in text.split()]
names += [name + suffix for text in NUMERIC.values() for name in text.split() for suffix in ("", "f", "l")]
for header in [*FUNCTIONS, *NUMERIC]:
    print(f"#include <{header}>")
print("static void *const volatile functions[] = {")
for name in names:
    print(f"    (void *)({name}),")
print("};")
