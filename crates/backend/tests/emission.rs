//! Modules into sections and symbols; determinism; errors that only code generation can see.

mod common;

use platform::options::{CodeModel, OptLevel, Options, PicLevel};

/// Section name and offset of a symbol.
fn place(builder: &object::ObjectBuilder, name: &str) -> (String, u64) {
    let symbol = builder.find_symbol(name).unwrap_or_else(|| panic!("no symbol {name}"));
    match builder.symbol(symbol).place {
        object::Place::Section(section, offset) => (builder.section_data(section).spec.name.to_string(), offset),
        other => (format!("{other:?}"), 0),
    }
}

fn emit(ir: &str, options: &Options) -> object::ObjectBuilder {
    let module = ir::text::parse_module(ir).unwrap_or_else(|e| panic!("{e:?}"));
    backend::emit(&module, options).unwrap_or_else(|e| panic!("{e:?}"))
}

const DATA: &str = r#"
symbol @initialised global
symbol @zero global
symbol @constant global
symbol @pointer global
symbol @constant_pointer global
symbol @constant_local local
symbol @thread global tls_le
symbol @thread_zero global tls_le
symbol @named global section "my_section"
symbol @common global common 16 32
symbol @string local
symbol @holes local
symbol @external global
data @initialised size 4 align 4 = "\01\00\00\00"
data @zero size 400 align 16
data @constant size 4 align 4 const = "\02\00\00\00"
data @pointer size 8 align 8
  reloc 0 8 @external 0
data @constant_pointer size 8 align 8 const
  reloc 0 8 @external 4
data @constant_local size 8 align 8 const
  reloc 0 8 @initialised 0
data @thread size 4 align 4 = "\03\00\00\00"
data @thread_zero size 4 align 4
data @named size 4 align 4 = "\04\00\00\00"
data @string size 3 align 1 const unnamed_addr string 1 = "ab\00"
data @holes size 4 align 1 const unnamed_addr string 1 = "a\00b\00"
"#;

#[test]
fn data_goes_where_gcc_puts_it() {
    let options = Options { level: OptLevel::O1, ..Options::default() };
    let builder = emit(DATA, &options);
    let section = |name: &str| place(&builder, name).0;
    assert_eq!(section("initialised"), ".data");
    assert_eq!(section("zero"), ".bss");
    assert_eq!(section("constant"), ".rodata");
    assert_eq!(section("pointer"), ".data.rel");
    assert_eq!(section("constant_pointer"), ".data.rel.ro");
    assert_eq!(section("constant_local"), ".data.rel.ro.local");
    assert_eq!(section("thread"), ".tdata");
    assert_eq!(section("thread_zero"), ".tbss");
    assert_eq!(section("named"), "my_section");
    assert_eq!(section("string"), ".rodata.str1.1");
    assert_eq!(section("holes"), ".rodata");
    assert_eq!(section("common"), "Common { align: 32, large: false }");
    let mut options = Options::default();
    options.codegen.pic = PicLevel::None;
    options.codegen.data_sections = true;
    let builder = emit(DATA, &options);
    assert_eq!(place(&builder, "constant_pointer").0, ".rodata.constant_pointer");
    assert_eq!(place(&builder, "zero").0, ".bss.zero");
    assert_eq!(place(&builder, "initialised").0, ".data.initialised");
}

fn many_functions() -> String {
    let mut ir = String::new();
    for i in 0..200 {
        ir += &format!("symbol @f{i} global function : (i32) -> (i32)\n");
    }
    for i in 0..200 {
        ir += &format!("func @f{i} v0 : (i32) -> (i32) {{\nb0:\n  v1: i32 = add v0, i32 {i}\n");
        ir += &format!("  v2: i32 = call @f{}(v1) : (i32) -> (i32)\n  v3: f64 = sitofp v2\n", (i * 7) % 200);
        ir +=
            &format!("  v4: f64 = fmul v3, f64 {:#018x}\n  v5: i32 = fptosi v4\n  ret v5\n}}\n", (i as f64).to_bits());
    }
    ir
}

#[test]
fn threads_do_not_change_the_object() {
    let ir = many_functions();
    let object = |threads| {
        let options = Options { threads, ..Options::default() };
        common::object(&ir, &options)
    };
    let one = object(1);
    assert_eq!(one, object(2));
    assert_eq!(one, object(7));
}

#[test]
fn function_sections_and_alignment() {
    let ir = "symbol @main global function : () -> (i32)\nsymbol @aligned global function align 64 : () -> ()\nsymbol @elsewhere global function section \".init.text\" : () -> ()\nfunc @main : () -> (i32) {\nb0:\n  ret i32 0\n}\nfunc @aligned : () -> () {\nb0:\n  ret\n}\nfunc @elsewhere : () -> () {\nb0:\n  ret\n}\n";
    let builder = emit(ir, &Options::default());
    assert_eq!(place(&builder, "main"), (".text".to_owned(), 0));
    assert_eq!(place(&builder, "aligned"), (".text".to_owned(), 64));
    assert_eq!(place(&builder, "elsewhere").0, ".init.text");
    let mut options = Options::default();
    options.codegen.function_sections = true;
    assert_eq!(place(&emit(ir, &options), "main").0, ".text.main");
}

#[test]
fn what_cannot_be_emitted_is_an_error() {
    let errors = |ir: &str| {
        let module = ir::text::parse_module(ir).unwrap_or_else(|e| panic!("{e:?}"));
        match backend::emit(&module, &Options::default()) {
            Ok(_) => panic!("no error"),
            Err(errors) => errors.into_iter().map(|e| e.message).collect::<Vec<_>>().join("\n"),
        }
    };
    let frame = "symbol @f global function : () -> (i8)\nfunc @f : () -> (i8) {\nb0:\n  v0: ptr = alloca 3000000000 align 16\n  v1: ptr = ptradd v0, i64 2999999999\n  store v1, i8 1 align 1\n  v2: i8 = load v0 align 1\n  ret v2\n}\n";
    assert!(errors(frame).contains("stack frame"), "{}", errors(frame));
    let asm =
        "symbol @f global function : () -> ()\nfunc @f : () -> () {\nb0:\n  asm.volatile \"frobnicate\"\n  ret\n}\n";
    assert!(errors(asm).contains("frobnicate"), "{}", errors(asm));
    let conflict = "symbol @f global function section \"s\" : () -> ()\nsymbol @d global section \"s\"\ndata @d size 4 align 4 = \"\\01\\00\\00\\00\"\nfunc @f : () -> () {\nb0:\n  ret\n}\n";
    assert!(errors(conflict).contains("section type conflict"), "{}", errors(conflict));
}

#[test]
fn kernel_code_links_low() {
    let ir = "symbol @value local\ndata @value size 4 align 4 = \"\\2a\\00\\00\\00\"\nsymbol @get global function : (ptr) -> (i32)\nsymbol @address global function : () -> (ptr)\nfunc @get v0 : (ptr) -> (i32) {\nb0:\n  v1: i32 = load @value align 4\n  ret v1\n}\nfunc @address : () -> (ptr) {\nb0:\n  ret @value\n}\n";
    let mut options = Options::default();
    options.codegen.pic = PicLevel::None;
    options.codegen.code_model = CodeModel::Kernel;
    options.codegen.red_zone = false;
    options.codegen.general_regs_only = true;
    options.codegen.stack_boundary = 3;
    let driver = "int get(void *); int *address(void); int main(void) { return get(0) != 42 || *address() != 42; }";
    common::run("kernel", ir, driver, &options, &["-no-pie", "-fno-pie", "-static"]);
}
