// flags: -fno-diagnostics-show-caret
// Each attribute where it does not belong: what is said of it is what gcc says.
int t;
extern int *p1 __attribute__((always_inline));
void q2(int v __attribute__((always_inline)));
struct m3 { int v __attribute__((always_inline)); };
struct __attribute__((always_inline)) s4 { int v; };
enum __attribute__((always_inline)) n5 { N5 };
enum { E6 __attribute__((always_inline)) };
void l7(void) { goto l; l: __attribute__((always_inline)); }
extern int *p8 __attribute__((artificial));
void q9(int v __attribute__((artificial)));
struct m10 { int v __attribute__((artificial)); };
struct __attribute__((artificial)) s11 { int v; };
enum __attribute__((artificial)) n12 { N12 };
enum { E13 __attribute__((artificial)) };
void l14(void) { goto l; l: __attribute__((artificial)); }
extern int *p15 __attribute__((flatten));
void q16(int v __attribute__((flatten)));
struct m17 { int v __attribute__((flatten)); };
struct __attribute__((flatten)) s18 { int v; };
enum __attribute__((flatten)) n19 { N19 };
enum { E20 __attribute__((flatten)) };
void l21(void) { goto l; l: __attribute__((flatten)); }
extern int *p22 __attribute__((gnu_inline));
void q23(int v __attribute__((gnu_inline)));
struct m24 { int v __attribute__((gnu_inline)); };
struct __attribute__((gnu_inline)) s25 { int v; };
enum __attribute__((gnu_inline)) n26 { N26 };
enum { E27 __attribute__((gnu_inline)) };
void l28(void) { goto l; l: __attribute__((gnu_inline)); }
extern int *p29 __attribute__((leaf));
void q30(int v __attribute__((leaf)));
struct m31 { int v __attribute__((leaf)); };
struct __attribute__((leaf)) s32 { int v; };
enum __attribute__((leaf)) n33 { N33 };
enum { E34 __attribute__((leaf)) };
void l35(void) { goto l; l: __attribute__((leaf)); }
extern int *p36 __attribute__((no_address_safety_analysis));
void q37(int v __attribute__((no_address_safety_analysis)));
struct m38 { int v __attribute__((no_address_safety_analysis)); };
struct __attribute__((no_address_safety_analysis)) s39 { int v; };
enum __attribute__((no_address_safety_analysis)) n40 { N40 };
enum { E41 __attribute__((no_address_safety_analysis)) };
void l42(void) { goto l; l: __attribute__((no_address_safety_analysis)); }
extern int *p43 __attribute__((no_icf));
void q44(int v __attribute__((no_icf)));
struct m45 { int v __attribute__((no_icf)); };
struct __attribute__((no_icf)) s46 { int v; };
enum __attribute__((no_icf)) n47 { N47 };
enum { E48 __attribute__((no_icf)) };
void l49(void) { goto l; l: __attribute__((no_icf)); }
extern int *p50 __attribute__((no_profile_instrument_function));
void q51(int v __attribute__((no_profile_instrument_function)));
struct m52 { int v __attribute__((no_profile_instrument_function)); };
struct __attribute__((no_profile_instrument_function)) s53 { int v; };
enum __attribute__((no_profile_instrument_function)) n54 { N54 };
enum { E55 __attribute__((no_profile_instrument_function)) };
void l56(void) { goto l; l: __attribute__((no_profile_instrument_function)); }
extern int *p57 __attribute__((no_sanitize_address));
void q58(int v __attribute__((no_sanitize_address)));
struct m59 { int v __attribute__((no_sanitize_address)); };
struct __attribute__((no_sanitize_address)) s60 { int v; };
enum __attribute__((no_sanitize_address)) n61 { N61 };
enum { E62 __attribute__((no_sanitize_address)) };
void l63(void) { goto l; l: __attribute__((no_sanitize_address)); }
extern int *p64 __attribute__((no_sanitize_coverage));
void q65(int v __attribute__((no_sanitize_coverage)));
struct m66 { int v __attribute__((no_sanitize_coverage)); };
struct __attribute__((no_sanitize_coverage)) s67 { int v; };
enum __attribute__((no_sanitize_coverage)) n68 { N68 };
enum { E69 __attribute__((no_sanitize_coverage)) };
void l70(void) { goto l; l: __attribute__((no_sanitize_coverage)); }
extern int *p71 __attribute__((no_sanitize_thread));
void q72(int v __attribute__((no_sanitize_thread)));
struct m73 { int v __attribute__((no_sanitize_thread)); };
struct __attribute__((no_sanitize_thread)) s74 { int v; };
enum __attribute__((no_sanitize_thread)) n75 { N75 };
enum { E76 __attribute__((no_sanitize_thread)) };
void l77(void) { goto l; l: __attribute__((no_sanitize_thread)); }
extern int *p78 __attribute__((no_sanitize_undefined));
void q79(int v __attribute__((no_sanitize_undefined)));
struct m80 { int v __attribute__((no_sanitize_undefined)); };
struct __attribute__((no_sanitize_undefined)) s81 { int v; };
enum __attribute__((no_sanitize_undefined)) n82 { N82 };
enum { E83 __attribute__((no_sanitize_undefined)) };
void l84(void) { goto l; l: __attribute__((no_sanitize_undefined)); }
extern int *p85 __attribute__((no_stack_protector));
void q86(int v __attribute__((no_stack_protector)));
struct m87 { int v __attribute__((no_stack_protector)); };
struct __attribute__((no_stack_protector)) s88 { int v; };
enum __attribute__((no_stack_protector)) n89 { N89 };
enum { E90 __attribute__((no_stack_protector)) };
void l91(void) { goto l; l: __attribute__((no_stack_protector)); }
extern int *p92 __attribute__((noclone));
void q93(int v __attribute__((noclone)));
struct m94 { int v __attribute__((noclone)); };
struct __attribute__((noclone)) s95 { int v; };
enum __attribute__((noclone)) n96 { N96 };
enum { E97 __attribute__((noclone)) };
void l98(void) { goto l; l: __attribute__((noclone)); }
extern int *p99 __attribute__((noinline));
void q100(int v __attribute__((noinline)));
struct m101 { int v __attribute__((noinline)); };
struct __attribute__((noinline)) s102 { int v; };
enum __attribute__((noinline)) n103 { N103 };
enum { E104 __attribute__((noinline)) };
void l105(void) { goto l; l: __attribute__((noinline)); }
extern int *p106 __attribute__((noipa));
void q107(int v __attribute__((noipa)));
struct m108 { int v __attribute__((noipa)); };
struct __attribute__((noipa)) s109 { int v; };
enum __attribute__((noipa)) n110 { N110 };
enum { E111 __attribute__((noipa)) };
void l112(void) { goto l; l: __attribute__((noipa)); }
extern int *p113 __attribute__((nothrow));
void q114(int v __attribute__((nothrow)));
struct m115 { int v __attribute__((nothrow)); };
struct __attribute__((nothrow)) s116 { int v; };
enum __attribute__((nothrow)) n117 { N117 };
enum { E118 __attribute__((nothrow)) };
void l119(void) { goto l; l: __attribute__((nothrow)); }
extern int *p120 __attribute__((pure));
void q121(int v __attribute__((pure)));
struct m122 { int v __attribute__((pure)); };
struct __attribute__((pure)) s123 { int v; };
enum __attribute__((pure)) n124 { N124 };
enum { E125 __attribute__((pure)) };
void l126(void) { goto l; l: __attribute__((pure)); }
extern int *p127 __attribute__((returns_twice));
void q128(int v __attribute__((returns_twice)));
struct m129 { int v __attribute__((returns_twice)); };
struct __attribute__((returns_twice)) s130 { int v; };
enum __attribute__((returns_twice)) n131 { N131 };
enum { E132 __attribute__((returns_twice)) };
void l133(void) { goto l; l: __attribute__((returns_twice)); }
extern int *p134 __attribute__((stack_protect));
void q135(int v __attribute__((stack_protect)));
struct m136 { int v __attribute__((stack_protect)); };
struct __attribute__((stack_protect)) s137 { int v; };
enum __attribute__((stack_protect)) n138 { N138 };
enum { E139 __attribute__((stack_protect)) };
void l140(void) { goto l; l: __attribute__((stack_protect)); }
extern int *p141 __attribute__((constructor));
void q142(int v __attribute__((constructor)));
struct m143 { int v __attribute__((constructor)); };
struct __attribute__((constructor)) s144 { int v; };
enum __attribute__((constructor)) n145 { N145 };
enum { E146 __attribute__((constructor)) };
void l147(void) { goto l; l: __attribute__((constructor)); }
extern int *p148 __attribute__((destructor));
void q149(int v __attribute__((destructor)));
struct m150 { int v __attribute__((destructor)); };
struct __attribute__((destructor)) s151 { int v; };
enum __attribute__((destructor)) n152 { N152 };
enum { E153 __attribute__((destructor)) };
void l154(void) { goto l; l: __attribute__((destructor)); }
extern int *p155 __attribute__((simd));
void q156(int v __attribute__((simd)));
struct m157 { int v __attribute__((simd)); };
struct __attribute__((simd)) s158 { int v; };
enum __attribute__((simd)) n159 { N159 };
enum { E160 __attribute__((simd)) };
void l161(void) { goto l; l: __attribute__((simd)); }
extern int *p162 __attribute__((error("x")));
void q163(int v __attribute__((error("x"))));
struct m164 { int v __attribute__((error("x"))); };
struct __attribute__((error("x"))) s165 { int v; };
enum __attribute__((error("x"))) n166 { N166 };
enum { E167 __attribute__((error("x"))) };
void l168(void) { goto l; l: __attribute__((error("x"))); }
extern int *p169 __attribute__((fentry_name("x")));
void q170(int v __attribute__((fentry_name("x"))));
struct m171 { int v __attribute__((fentry_name("x"))); };
struct __attribute__((fentry_name("x"))) s172 { int v; };
enum __attribute__((fentry_name("x"))) n173 { N173 };
enum { E174 __attribute__((fentry_name("x"))) };
void l175(void) { goto l; l: __attribute__((fentry_name("x"))); }
extern int *p176 __attribute__((fentry_section("x")));
void q177(int v __attribute__((fentry_section("x"))));
struct m178 { int v __attribute__((fentry_section("x"))); };
struct __attribute__((fentry_section("x"))) s179 { int v; };
enum __attribute__((fentry_section("x"))) n180 { N180 };
enum { E181 __attribute__((fentry_section("x"))) };
void l182(void) { goto l; l: __attribute__((fentry_section("x"))); }
extern int *p183 __attribute__((ifunc("r")));
void q184(int v __attribute__((ifunc("r"))));
struct m185 { int v __attribute__((ifunc("r"))); };
struct __attribute__((ifunc("r"))) s186 { int v; };
enum __attribute__((ifunc("r"))) n187 { N187 };
enum { E188 __attribute__((ifunc("r"))) };
void l189(void) { goto l; l: __attribute__((ifunc("r"))); }
extern int *p190 __attribute__((warning("x")));
void q191(int v __attribute__((warning("x"))));
struct m192 { int v __attribute__((warning("x"))); };
struct __attribute__((warning("x"))) s193 { int v; };
enum __attribute__((warning("x"))) n194 { N194 };
enum { E195 __attribute__((warning("x"))) };
void l196(void) { goto l; l: __attribute__((warning("x"))); }
extern int *p197 __attribute__((no_sanitize("address")));
void q198(int v __attribute__((no_sanitize("address"))));
struct m199 { int v __attribute__((no_sanitize("address"))); };
struct __attribute__((no_sanitize("address"))) s200 { int v; };
enum __attribute__((no_sanitize("address"))) n201 { N201 };
enum { E202 __attribute__((no_sanitize("address"))) };
void l203(void) { goto l; l: __attribute__((no_sanitize("address"))); }
extern int *p204 __attribute__((optimize("O2")));
void q205(int v __attribute__((optimize("O2"))));
struct m206 { int v __attribute__((optimize("O2"))); };
struct __attribute__((optimize("O2"))) s207 { int v; };
enum __attribute__((optimize("O2"))) n208 { N208 };
enum { E209 __attribute__((optimize("O2"))) };
void l210(void) { goto l; l: __attribute__((optimize("O2"))); }
extern int *p211 __attribute__((target("avx2")));
void q212(int v __attribute__((target("avx2"))));
struct m213 { int v __attribute__((target("avx2"))); };
struct __attribute__((target("avx2"))) s214 { int v; };
enum __attribute__((target("avx2"))) n215 { N215 };
enum { E216 __attribute__((target("avx2"))) };
void l217(void) { goto l; l: __attribute__((target("avx2"))); }
extern int *p218 __attribute__((cf_check));
void q219(int v __attribute__((cf_check)));
struct m220 { int v __attribute__((cf_check)); };
struct __attribute__((cf_check)) s221 { int v; };
enum __attribute__((cf_check)) n222 { N222 };
enum { E223 __attribute__((cf_check)) };
void l224(void) { goto l; l: __attribute__((cf_check)); }
extern int *p225 __attribute__((ms_hook_prologue));
void q226(int v __attribute__((ms_hook_prologue)));
struct m227 { int v __attribute__((ms_hook_prologue)); };
struct __attribute__((ms_hook_prologue)) s228 { int v; };
enum __attribute__((ms_hook_prologue)) n229 { N229 };
enum { E230 __attribute__((ms_hook_prologue)) };
void l231(void) { goto l; l: __attribute__((ms_hook_prologue)); }
extern int *p232 __attribute__((naked));
void q233(int v __attribute__((naked)));
struct m234 { int v __attribute__((naked)); };
struct __attribute__((naked)) s235 { int v; };
enum __attribute__((naked)) n236 { N236 };
enum { E237 __attribute__((naked)) };
void l238(void) { goto l; l: __attribute__((naked)); }
extern int *p239 __attribute__((function_return("thunk")));
void q240(int v __attribute__((function_return("thunk"))));
struct m241 { int v __attribute__((function_return("thunk"))); };
struct __attribute__((function_return("thunk"))) s242 { int v; };
enum __attribute__((function_return("thunk"))) n243 { N243 };
enum { E244 __attribute__((function_return("thunk"))) };
void l245(void) { goto l; l: __attribute__((function_return("thunk"))); }
extern int *p246 __attribute__((indirect_branch("thunk")));
void q247(int v __attribute__((indirect_branch("thunk"))));
struct m248 { int v __attribute__((indirect_branch("thunk"))); };
struct __attribute__((indirect_branch("thunk"))) s249 { int v; };
enum __attribute__((indirect_branch("thunk"))) n250 { N250 };
enum { E251 __attribute__((indirect_branch("thunk"))) };
void l252(void) { goto l; l: __attribute__((indirect_branch("thunk"))); }
extern int *p253 __attribute__((noplt));
void q254(int v __attribute__((noplt)));
struct m255 { int v __attribute__((noplt)); };
struct __attribute__((noplt)) s256 { int v; };
enum __attribute__((noplt)) n257 { N257 };
enum { E258 __attribute__((noplt)) };
void l259(void) { goto l; l: __attribute__((noplt)); }
extern int *p260 __attribute__((no_instrument_function));
void q261(int v __attribute__((no_instrument_function)));
struct m262 { int v __attribute__((no_instrument_function)); };
struct __attribute__((no_instrument_function)) s263 { int v; };
enum __attribute__((no_instrument_function)) n264 { N264 };
enum { E265 __attribute__((no_instrument_function)) };
void l266(void) { goto l; l: __attribute__((no_instrument_function)); }
extern int *p267 __attribute__((no_split_stack));
void q268(int v __attribute__((no_split_stack)));
struct m269 { int v __attribute__((no_split_stack)); };
struct __attribute__((no_split_stack)) s270 { int v; };
enum __attribute__((no_split_stack)) n271 { N271 };
enum { E272 __attribute__((no_split_stack)) };
void l273(void) { goto l; l: __attribute__((no_split_stack)); }
extern int *p274 __attribute__((no_stack_limit));
void q275(int v __attribute__((no_stack_limit)));
struct m276 { int v __attribute__((no_stack_limit)); };
struct __attribute__((no_stack_limit)) s277 { int v; };
enum __attribute__((no_stack_limit)) n278 { N278 };
enum { E279 __attribute__((no_stack_limit)) };
void l280(void) { goto l; l: __attribute__((no_stack_limit)); }
extern int *p281 __attribute__((zero_call_used_regs("used")));
void q282(int v __attribute__((zero_call_used_regs("used"))));
struct m283 { int v __attribute__((zero_call_used_regs("used"))); };
struct __attribute__((zero_call_used_regs("used"))) s284 { int v; };
enum __attribute__((zero_call_used_regs("used"))) n285 { N285 };
enum { E286 __attribute__((zero_call_used_regs("used"))) };
void l287(void) { goto l; l: __attribute__((zero_call_used_regs("used"))); }
extern int *p288 __attribute__((malloc));
void q289(int v __attribute__((malloc)));
struct m290 { int v __attribute__((malloc)); };
struct __attribute__((malloc)) s291 { int v; };
enum __attribute__((malloc)) n292 { N292 };
enum { E293 __attribute__((malloc)) };
void l294(void) { goto l; l: __attribute__((malloc)); }
extern int *p295 __attribute__((const));
void q296(int v __attribute__((const)));
struct m297 { int v __attribute__((const)); };
struct __attribute__((const)) s298 { int v; };
enum __attribute__((const)) n299 { N299 };
enum { E300 __attribute__((const)) };
void l301(void) { goto l; l: __attribute__((const)); }
void t302(void) { __attribute__((const)); }
extern int *p303 __attribute__((noreturn));
void q304(int v __attribute__((noreturn)));
struct m305 { int v __attribute__((noreturn)); };
struct __attribute__((noreturn)) s306 { int v; };
enum __attribute__((noreturn)) n307 { N307 };
enum { E308 __attribute__((noreturn)) };
void l309(void) { goto l; l: __attribute__((noreturn)); }
extern int *p310 __attribute__((cdecl));
void q311(int v __attribute__((cdecl)));
struct m312 { int v __attribute__((cdecl)); };
struct __attribute__((cdecl)) s313 { int v; };
enum __attribute__((cdecl)) n314 { N314 };
enum { E315 __attribute__((cdecl)) };
void l316(void) { goto l; l: __attribute__((cdecl)); }
extern int *p317 __attribute__((fastcall));
void q318(int v __attribute__((fastcall)));
struct m319 { int v __attribute__((fastcall)); };
struct __attribute__((fastcall)) s320 { int v; };
enum __attribute__((fastcall)) n321 { N321 };
enum { E322 __attribute__((fastcall)) };
void l323(void) { goto l; l: __attribute__((fastcall)); }
extern int *p324 __attribute__((force_align_arg_pointer));
void q325(int v __attribute__((force_align_arg_pointer)));
struct m326 { int v __attribute__((force_align_arg_pointer)); };
struct __attribute__((force_align_arg_pointer)) s327 { int v; };
enum __attribute__((force_align_arg_pointer)) n328 { N328 };
enum { E329 __attribute__((force_align_arg_pointer)) };
void l330(void) { goto l; l: __attribute__((force_align_arg_pointer)); }
extern int *p331 __attribute__((interrupt));
void q332(int v __attribute__((interrupt)));
struct m333 { int v __attribute__((interrupt)); };
struct __attribute__((interrupt)) s334 { int v; };
enum __attribute__((interrupt)) n335 { N335 };
enum { E336 __attribute__((interrupt)) };
void l337(void) { goto l; l: __attribute__((interrupt)); }
extern int *p338 __attribute__((ms_abi));
void q339(int v __attribute__((ms_abi)));
struct m340 { int v __attribute__((ms_abi)); };
struct __attribute__((ms_abi)) s341 { int v; };
enum __attribute__((ms_abi)) n342 { N342 };
enum { E343 __attribute__((ms_abi)) };
void l344(void) { goto l; l: __attribute__((ms_abi)); }
extern int *p345 __attribute__((no_caller_saved_registers));
void q346(int v __attribute__((no_caller_saved_registers)));
struct m347 { int v __attribute__((no_caller_saved_registers)); };
struct __attribute__((no_caller_saved_registers)) s348 { int v; };
enum __attribute__((no_caller_saved_registers)) n349 { N349 };
enum { E350 __attribute__((no_caller_saved_registers)) };
void l351(void) { goto l; l: __attribute__((no_caller_saved_registers)); }
extern int *p352 __attribute__((returns_nonnull));
void q353(int v __attribute__((returns_nonnull)));
struct m354 { int v __attribute__((returns_nonnull)); };
struct __attribute__((returns_nonnull)) s355 { int v; };
enum __attribute__((returns_nonnull)) n356 { N356 };
enum { E357 __attribute__((returns_nonnull)) };
void l358(void) { goto l; l: __attribute__((returns_nonnull)); }
extern int *p359 __attribute__((sseregparm));
void q360(int v __attribute__((sseregparm)));
struct m361 { int v __attribute__((sseregparm)); };
struct __attribute__((sseregparm)) s362 { int v; };
enum __attribute__((sseregparm)) n363 { N363 };
enum { E364 __attribute__((sseregparm)) };
void l365(void) { goto l; l: __attribute__((sseregparm)); }
extern int *p366 __attribute__((stdcall));
void q367(int v __attribute__((stdcall)));
struct m368 { int v __attribute__((stdcall)); };
struct __attribute__((stdcall)) s369 { int v; };
enum __attribute__((stdcall)) n370 { N370 };
enum { E371 __attribute__((stdcall)) };
void l372(void) { goto l; l: __attribute__((stdcall)); }
extern int *p373 __attribute__((sysv_abi));
void q374(int v __attribute__((sysv_abi)));
struct m375 { int v __attribute__((sysv_abi)); };
struct __attribute__((sysv_abi)) s376 { int v; };
enum __attribute__((sysv_abi)) n377 { N377 };
enum { E378 __attribute__((sysv_abi)) };
void l379(void) { goto l; l: __attribute__((sysv_abi)); }
extern int *p380 __attribute__((thiscall));
void q381(int v __attribute__((thiscall)));
struct m382 { int v __attribute__((thiscall)); };
struct __attribute__((thiscall)) s383 { int v; };
enum __attribute__((thiscall)) n384 { N384 };
enum { E385 __attribute__((thiscall)) };
void l386(void) { goto l; l: __attribute__((thiscall)); }
extern int *p387 __attribute__((warn_unused_result));
void q388(int v __attribute__((warn_unused_result)));
struct m389 { int v __attribute__((warn_unused_result)); };
struct __attribute__((warn_unused_result)) s390 { int v; };
enum __attribute__((warn_unused_result)) n391 { N391 };
enum { E392 __attribute__((warn_unused_result)) };
void l393(void) { goto l; l: __attribute__((warn_unused_result)); }
extern int *p394 __attribute__((sentinel));
void q395(int v __attribute__((sentinel)));
struct m396 { int v __attribute__((sentinel)); };
struct __attribute__((sentinel)) s397 { int v; };
enum __attribute__((sentinel)) n398 { N398 };
enum { E399 __attribute__((sentinel)) };
void l400(void) { goto l; l: __attribute__((sentinel)); }
extern int *p401 __attribute__((alloc_align(1)));
void q402(int v __attribute__((alloc_align(1))));
struct m403 { int v __attribute__((alloc_align(1))); };
struct __attribute__((alloc_align(1))) s404 { int v; };
enum __attribute__((alloc_align(1))) n405 { N405 };
enum { E406 __attribute__((alloc_align(1))) };
void l407(void) { goto l; l: __attribute__((alloc_align(1))); }
extern int *p408 __attribute__((callee_pop_aggregate_return(1)));
void q409(int v __attribute__((callee_pop_aggregate_return(1))));
struct m410 { int v __attribute__((callee_pop_aggregate_return(1))); };
struct __attribute__((callee_pop_aggregate_return(1))) s411 { int v; };
enum __attribute__((callee_pop_aggregate_return(1))) n412 { N412 };
enum { E413 __attribute__((callee_pop_aggregate_return(1))) };
void l414(void) { goto l; l: __attribute__((callee_pop_aggregate_return(1))); }
extern int *p415 __attribute__((format_arg(1)));
void q416(int v __attribute__((format_arg(1))));
struct m417 { int v __attribute__((format_arg(1))); };
struct __attribute__((format_arg(1))) s418 { int v; };
enum __attribute__((format_arg(1))) n419 { N419 };
enum { E420 __attribute__((format_arg(1))) };
void l421(void) { goto l; l: __attribute__((format_arg(1))); }
extern int *p422 __attribute__((regparm(2)));
void q423(int v __attribute__((regparm(2))));
struct m424 { int v __attribute__((regparm(2))); };
struct __attribute__((regparm(2))) s425 { int v; };
enum __attribute__((regparm(2))) n426 { N426 };
enum { E427 __attribute__((regparm(2))) };
void l428(void) { goto l; l: __attribute__((regparm(2))); }
extern int *p429 __attribute__((alloc_size(1)));
void q430(int v __attribute__((alloc_size(1))));
struct m431 { int v __attribute__((alloc_size(1))); };
struct __attribute__((alloc_size(1))) s432 { int v; };
enum __attribute__((alloc_size(1))) n433 { N433 };
enum { E434 __attribute__((alloc_size(1))) };
void l435(void) { goto l; l: __attribute__((alloc_size(1))); }
extern int *p436 __attribute__((assume_aligned(16)));
void q437(int v __attribute__((assume_aligned(16))));
struct m438 { int v __attribute__((assume_aligned(16))); };
struct __attribute__((assume_aligned(16))) s439 { int v; };
enum __attribute__((assume_aligned(16))) n440 { N440 };
enum { E441 __attribute__((assume_aligned(16))) };
void l442(void) { goto l; l: __attribute__((assume_aligned(16))); }
extern int *p443 __attribute__((access(read_only,1)));
void q444(int v __attribute__((access(read_only,1))));
struct m445 { int v __attribute__((access(read_only,1))); };
struct __attribute__((access(read_only,1))) s446 { int v; };
enum __attribute__((access(read_only,1))) n447 { N447 };
enum { E448 __attribute__((access(read_only,1))) };
void l449(void) { goto l; l: __attribute__((access(read_only,1))); }
extern int *p450 __attribute__((format(printf,1,2)));
void q451(int v __attribute__((format(printf,1,2))));
struct m452 { int v __attribute__((format(printf,1,2))); };
struct __attribute__((format(printf,1,2))) s453 { int v; };
enum __attribute__((format(printf,1,2))) n454 { N454 };
enum { E455 __attribute__((format(printf,1,2))) };
void l456(void) { goto l; l: __attribute__((format(printf,1,2))); }
extern int *p457 __attribute__((nonnull));
void q458(int v __attribute__((nonnull)));
struct m459 { int v __attribute__((nonnull)); };
struct __attribute__((nonnull)) s460 { int v; };
enum __attribute__((nonnull)) n461 { N461 };
enum { E462 __attribute__((nonnull)) };
void l463(void) { goto l; l: __attribute__((nonnull)); }
extern int *p464 __attribute__((externally_visible));
void q465(int v __attribute__((externally_visible)));
struct m466 { int v __attribute__((externally_visible)); };
struct __attribute__((externally_visible)) s467 { int v; };
enum __attribute__((externally_visible)) n468 { N468 };
enum { E469 __attribute__((externally_visible)) };
void l470(void) { goto l; l: __attribute__((externally_visible)); }
extern int *p471 __attribute__((nodirect_extern_access));
void q472(int v __attribute__((nodirect_extern_access)));
struct m473 { int v __attribute__((nodirect_extern_access)); };
struct __attribute__((nodirect_extern_access)) s474 { int v; };
enum __attribute__((nodirect_extern_access)) n475 { N475 };
enum { E476 __attribute__((nodirect_extern_access)) };
void l477(void) { goto l; l: __attribute__((nodirect_extern_access)); }
extern int *p478 __attribute__((weak));
void q479(int v __attribute__((weak)));
struct m480 { int v __attribute__((weak)); };
struct __attribute__((weak)) s481 { int v; };
enum __attribute__((weak)) n482 { N482 };
enum { E483 __attribute__((weak)) };
void l484(void) { goto l; l: __attribute__((weak)); }
extern int *p485 __attribute__((alias("t")));
void q486(int v __attribute__((alias("t"))));
struct m487 { int v __attribute__((alias("t"))); };
struct __attribute__((alias("t"))) s488 { int v; };
enum __attribute__((alias("t"))) n489 { N489 };
enum { E490 __attribute__((alias("t"))) };
void l491(void) { goto l; l: __attribute__((alias("t"))); }
extern int *p492 __attribute__((weakref("t")));
void q493(int v __attribute__((weakref("t"))));
struct m494 { int v __attribute__((weakref("t"))); };
struct __attribute__((weakref("t"))) s495 { int v; };
enum __attribute__((weakref("t"))) n496 { N496 };
enum { E497 __attribute__((weakref("t"))) };
void l498(void) { goto l; l: __attribute__((weakref("t"))); }
extern int *p499 __attribute__((no_reorder));
void q500(int v __attribute__((no_reorder)));
struct m501 { int v __attribute__((no_reorder)); };
struct __attribute__((no_reorder)) s502 { int v; };
enum __attribute__((no_reorder)) n503 { N503 };
enum { E504 __attribute__((no_reorder)) };
void l505(void) { goto l; l: __attribute__((no_reorder)); }
extern int *p506 __attribute__((symver("t@V")));
void q507(int v __attribute__((symver("t@V"))));
struct m508 { int v __attribute__((symver("t@V"))); };
struct __attribute__((symver("t@V"))) s509 { int v; };
enum __attribute__((symver("t@V"))) n510 { N510 };
enum { E511 __attribute__((symver("t@V"))) };
void l512(void) { goto l; l: __attribute__((symver("t@V"))); }
extern int *p513 __attribute__((common));
void q514(int v __attribute__((common)));
struct m515 { int v __attribute__((common)); };
struct __attribute__((common)) s516 { int v; };
enum __attribute__((common)) n517 { N517 };
enum { E518 __attribute__((common)) };
void l519(void) { goto l; l: __attribute__((common)); }
extern int *p520 __attribute__((nocommon));
void q521(int v __attribute__((nocommon)));
struct m522 { int v __attribute__((nocommon)); };
struct __attribute__((nocommon)) s523 { int v; };
enum __attribute__((nocommon)) n524 { N524 };
enum { E525 __attribute__((nocommon)) };
void l526(void) { goto l; l: __attribute__((nocommon)); }
extern int *p527 __attribute__((cold));
void q528(int v __attribute__((cold)));
struct m529 { int v __attribute__((cold)); };
struct __attribute__((cold)) s530 { int v; };
enum __attribute__((cold)) n531 { N531 };
enum { E532 __attribute__((cold)) };
void l533(void) { goto l; l: __attribute__((cold)); }
void t534(void) { __attribute__((cold)); }
extern int *p535 __attribute__((hot));
void q536(int v __attribute__((hot)));
struct m537 { int v __attribute__((hot)); };
struct __attribute__((hot)) s538 { int v; };
enum __attribute__((hot)) n539 { N539 };
enum { E540 __attribute__((hot)) };
void l541(void) { goto l; l: __attribute__((hot)); }
extern int *p542 __attribute__((gcc_struct));
void q543(int v __attribute__((gcc_struct)));
struct m544 { int v __attribute__((gcc_struct)); };
struct __attribute__((gcc_struct)) s545 { int v; };
enum __attribute__((gcc_struct)) n546 { N546 };
enum { E547 __attribute__((gcc_struct)) };
void l548(void) { goto l; l: __attribute__((gcc_struct)); }
extern int *p549 __attribute__((ms_struct));
void q550(int v __attribute__((ms_struct)));
struct m551 { int v __attribute__((ms_struct)); };
struct __attribute__((ms_struct)) s552 { int v; };
enum __attribute__((ms_struct)) n553 { N553 };
enum { E554 __attribute__((ms_struct)) };
void l555(void) { goto l; l: __attribute__((ms_struct)); }
extern int *p556 __attribute__((transparent_union));
void q557(int v __attribute__((transparent_union)));
struct m558 { int v __attribute__((transparent_union)); };
struct __attribute__((transparent_union)) s559 { int v; };
enum __attribute__((transparent_union)) n560 { N560 };
enum { E561 __attribute__((transparent_union)) };
void l562(void) { goto l; l: __attribute__((transparent_union)); }
extern int *p563 __attribute__((scalar_storage_order("big-endian")));
void q564(int v __attribute__((scalar_storage_order("big-endian"))));
struct m565 { int v __attribute__((scalar_storage_order("big-endian"))); };
struct __attribute__((scalar_storage_order("big-endian"))) s566 { int v; };
enum __attribute__((scalar_storage_order("big-endian"))) n567 { N567 };
enum { E568 __attribute__((scalar_storage_order("big-endian"))) };
void l569(void) { goto l; l: __attribute__((scalar_storage_order("big-endian"))); }
extern int *p570 __attribute__((fallthrough));
void q571(int v __attribute__((fallthrough)));
struct m572 { int v __attribute__((fallthrough)); };
struct __attribute__((fallthrough)) s573 { int v; };
enum __attribute__((fallthrough)) n574 { N574 };
enum { E575 __attribute__((fallthrough)) };
void l576(void) { goto l; l: __attribute__((fallthrough)); }
extern int *p578 __attribute__((nonexistent));
void q579(int v __attribute__((nonexistent)));
struct m580 { int v __attribute__((nonexistent)); };
struct __attribute__((nonexistent)) s581 { int v; };
enum __attribute__((nonexistent)) n582 { N582 };
enum { E583 __attribute__((nonexistent)) };
void l584(void) { goto l; l: __attribute__((nonexistent)); }
void t585(void) { __attribute__((nonexistent)); }
