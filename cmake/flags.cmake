# Flags of our own code; an interface target, so that nothing of it reaches the users of the library.
add_library(weft_flags INTERFACE)
target_compile_definitions(weft_flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE
    $<$<BOOL:${WEFT_VALIDATE}>:WF_VALIDATE_ORDER WF_VALIDATE_STRUCTURES>)
# pass-failed: clang complains where a lane loop has branches that it cannot turn into vectors, which is no fault.
set(warnings -Wall -Wextra -Wshadow -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef -Wno-unknown-warning-option -Wno-pass-failed)
# No fused multiply-add: the same bits from every compiler and every clone of a kernel. No errno, no traps: square roots and selects
# may then be vectorised, which changes no result.
set(arithmetic -ffp-contract=off -fno-math-errno -fno-trapping-math)
target_compile_options(weft_flags INTERFACE "$<$<COMPILE_LANGUAGE:C>:${warnings};${arithmetic};-fvisibility=hidden>"
    "$<$<AND:$<COMPILE_LANGUAGE:C>,$<BOOL:${WEFT_WERROR}>>:-Werror>"
    "$<$<AND:$<COMPILE_LANGUAGE:C>,$<CONFIG:Release>>:-O3>" "$<$<AND:$<COMPILE_LANGUAGE:C>,$<CONFIG:Debug>>:-Og>")

if(WEFT_SANITIZE)
    target_compile_options(weft_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fsanitize=${WEFT_SANITIZE}> $<$<COMPILE_LANGUAGE:C>:-fno-sanitize-recover=all>
        $<$<COMPILE_LANGUAGE:C>:-fno-omit-frame-pointer> $<$<COMPILE_LANGUAGE:C>:-Wno-pass-failed>) # checks inside a loop keep it from being vectorised
    target_link_options(weft_flags INTERFACE -fsanitize=${WEFT_SANITIZE})
endif()

if(WEFT_FUZZ) # libFuzzer steers by what it sees covered, in the libraries too
    target_compile_options(weft_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:-fsanitize=fuzzer-no-link>)
endif()

# Clones by instruction set need ifunc; with the thread sanitizer they crash at start (gcc 12), and the validation build wants one path.
include(CheckCSourceCompiles)
check_c_source_compiles("__attribute__((target_clones(\"avx512f\",\"avx2\",\"default\"))) static int f(int x){return x+1;} int main(void){return f(1);}" WEFT_CLONES)
if(WEFT_CLONES AND NOT WEFT_SANITIZE AND NOT WEFT_VALIDATE)
    target_compile_definitions(weft_flags INTERFACE WF_TARGET_CLONES)
endif()
