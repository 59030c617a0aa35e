//! The cases of `cargo xtask tools`: what each needs, and its script (`sh -eu`).

/// What a case cannot do without.
pub enum Need {
    /// A program in `PATH`, and how to install it.
    Program(&'static str, &'static str),
    /// A file, and how to get it.
    File(&'static str, &'static str),
    /// A registry that packages are fetched from.
    Registry(&'static str),
    /// The rights of root, for what.
    Root(&'static str),
}

/// A tool and how it is used.
pub struct Case {
    pub name: &'static str,
    pub about: &'static str,
    pub needs: &'static [Need],
    /// Its parts, one after the other.
    pub script: &'static [&'static str],
}

/// Before every script: `made FILE...` makes sure that C code in the files is ours, which the
/// comment section says; `no COMMAND` that it fails (`set -e` does not see `!`); `sources` writes a
/// program of two libraries and a main file.
pub const COMMON: &str = r#"
made() {
    for made_file; do
        readelf -p .comment "$made_file" | grep -q tcc-rs || { echo "$made_file was not made by tcc-rs"; exit 1; }
    done
}
no() {
    if "$@"; then echo "unexpected: $*"; exit 1; fi
}
sources() {
    echo 'int shared(void); int hidden(void); int hidden(void) { return 1; } int shared(void) { return 39 + hidden(); }' > shared.c
    echo 'int fixed(void); int fixed(void) { return 2; }' > fixed.c
    printf '%s\n' '#include <stdio.h>' '#include <string.h>' '#define ANSWER 42' 'int shared(void);' 'int fixed(void);' > all.h
    printf '%s\n' 'int main(void) { printf("%d\n", shared() + fixed()); return shared() + fixed() != ANSWER; }' > main.c
}
"#;

/// All cases.
#[rustfmt::skip]
pub const CASES: &[Case] = &[
    Case { name: "cmake", about: "CMake with make: checks, shared and static libraries, a precompiled header, tests",
        needs: &[Need::Program("cmake", "apt install cmake"), Need::Program("make", "apt install make")], script: &[CMAKE] },
    Case { name: "cmake-ninja", about: "the same with ninja, which reads our dependency files",
        needs: &[Need::Program("cmake", "apt install cmake"), Need::Program("ninja", "apt install ninja-build")], script: &["GENERATOR=Ninja", CMAKE] },
    Case { name: "meson", about: "meson with b_pch and warnings as errors",
        needs: &[Need::Program("meson", "apt install meson"), Need::Program("ninja", "apt install ninja-build")], script: &[MESON] },
    Case { name: "autotools", about: "autoconf, automake and libtool: configure, check, install, distcheck",
        needs: &[Need::Program("autoreconf", "apt install autoconf"), Need::Program("automake", "apt install automake"),
            Need::Program("libtoolize", "apt install libtool")], script: &[AUTOTOOLS] },
    Case { name: "perl", about: "an XS module with MakeMaker",
        needs: &[Need::Program("xsubpp", "apt install perl"), Need::File("/usr/lib/x86_64-linux-gnu/perl/5.36/CORE/perl.h", "apt install libperl-dev (Debian 12)")],
        script: &[PERL] },
    Case { name: "ruby", about: "an extension with mkmf", needs: &[Need::Program("ruby", "apt install ruby ruby-dev")], script: &[RUBY] },
    Case { name: "cgo", about: "C in a Go program, linked by Go and by us", needs: &[Need::Program("go", "apt install golang-go")], script: &[CGO] },
    Case { name: "node-gyp", about: "an addon of Node.js",
        needs: &[Need::Program("node", "apt install nodejs"), Need::File("/usr/include/node/node_api.h", "apt install nodejs with its headers, or libnode-dev")], script: &[NODE_GYP] },
    Case { name: "ccache", about: "ccache in direct and preprocessor mode", needs: &[Need::Program("ccache", "apt install ccache")], script: &[CCACHE] },
    Case { name: "sccache", about: "sccache", needs: &[Need::Program("sccache", "apt install sccache, or cargo install sccache")], script: &[SCCACHE] },
    Case { name: "distcc", about: "distcc with a server on loopback", needs: &[Need::Program("distccd", "apt install distcc")], script: &[DISTCC] },
    Case { name: "icecc", about: "icecc with a scheduler and two servers on loopback: our compiler is sent to one of them",
        needs: &[Need::Program("iceccd", "apt install icecc"), Need::Root("its servers change the root directory")], script: &[ICECC] },
    Case { name: "cc-crate", about: "the cc crate: zstd-sys and libsqlite3-sys",
        needs: &[Need::Program("cargo", "rustup"), Need::Registry("crates.io")], script: &[CC_CRATE] },
    Case { name: "pip", about: "source distributions with C code: markupsafe, simplejson, bitarray, pycryptodome",
        needs: &[Need::Program("python3", "apt install python3-dev python3-venv"), Need::Registry("pypi.org")], script: &[PIP] },
];

const CMAKE: &str = r#"
sources
cat > CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.16)
project(probe C)
enable_testing()
include(CheckIncludeFile)
include(CheckFunctionExists)
include(CheckTypeSize)
include(CheckCCompilerFlag)
check_include_file(nonesuch.h HAVE_NONESUCH_H)
check_function_exists(strdup HAVE_STRDUP)
check_function_exists(nonesuch HAVE_NONESUCH)
check_type_size(long SIZE_LONG)
check_c_compiler_flag(-Wall HAVE_WALL)
check_c_compiler_flag(-fno-such-flag HAVE_BOGUS)
if(HAVE_NONESUCH_H OR HAVE_NONESUCH OR HAVE_BOGUS OR NOT HAVE_STRDUP OR NOT HAVE_WALL OR NOT SIZE_LONG EQUAL 8)
  message(FATAL_ERROR "a check went wrong")
endif()
if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU" OR NOT "c_std_17" IN_LIST CMAKE_C_COMPILE_FEATURES OR NOT CMAKE_C_IMPLICIT_LINK_LIBRARIES)
  message(FATAL_ERROR "the compiler was not recognised")
endif()
find_package(Threads REQUIRED)
add_library(shared SHARED shared.c)
add_library(fixed STATIC fixed.c)
add_executable(main main.c)
target_link_libraries(main shared fixed Threads::Threads)
target_precompile_headers(main PRIVATE all.h)
set_property(TARGET main PROPERTY C_STANDARD 11)
install(TARGETS main shared DESTINATION lib)
add_test(NAME main COMMAND main)
END
: "${GENERATOR:=Unix Makefiles}"
cmake -G "$GENERATOR" -S . -B b -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_INSTALL_PREFIX="$PWD/inst"
cmake --build b --verbose
(cd b && ctest --output-on-failure)
made b/main b/libshared.so
test -s b/CMakeFiles/main.dir/cmake_pch.h.gch
cmake --build b --target install
# What includes the changed header is built again, and nothing else is.
sleep 1
sed -i 's/ANSWER 42/ANSWER 41/' all.h
cmake --build b > again
grep -q 'main.c' again
no grep -q 'shared.c' again
no b/main
"#;

const MESON: &str = r#"
sources
mkdir pch
mv all.h pch/all.h
sed -i '1i int fixed(void);' fixed.c
cat > meson.build <<'END'
project('probe', 'c', version: '1.0', default_options: ['c_std=gnu11', 'warning_level=3', 'werror=true', 'b_pch=true', 'buildtype=debugoptimized'])
cc = meson.get_compiler('c')
assert(cc.get_id() == 'gcc')
assert(cc.has_header('stdio.h') and not cc.has_header('nonesuch.h'))
assert(cc.has_function('strdup') and not cc.has_function('nonesuch'))
assert(cc.sizeof('long') == 8)
assert(not cc.has_argument('-fno-such-flag'))
assert(cc.has_function_attribute('visibility'))
assert(cc.has_link_argument('-Wl,--as-needed'))
shared = shared_library('shared', 'shared.c')
fixed = static_library('fixed', 'fixed.c')
main = executable('main', 'main.c', link_with: [shared, fixed], c_pch: 'pch/all.h', dependencies: dependency('threads'))
test('main', main)
END
meson setup b
ninja -v -C b
meson test -C b
made b/main b/libshared.so
test -s b/main.p/all.h.gch
"#;

const AUTOTOOLS: &str = r#"
sources
cat > configure.ac <<'END'
AC_INIT([probe],[1.0])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_CONFIG_MACRO_DIRS([m4])
AC_PROG_CC
AM_PROG_AR
LT_INIT
AC_C_CONST
AC_C_INLINE
AC_C_BIGENDIAN
AC_SYS_LARGEFILE
AC_CHECK_HEADERS([stdint.h nonesuch.h])
AC_CHECK_FUNCS([strdup nonesuch])
AC_CHECK_SIZEOF([long])
AC_CONFIG_HEADERS([config.h])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
cat > Makefile.am <<'END'
ACLOCAL_AMFLAGS = -I m4
lib_LTLIBRARIES = libshared.la
libshared_la_SOURCES = shared.c fixed.c all.h
libshared_la_LDFLAGS = -version-info 3:2:1 -export-symbols-regex '^(shared|fixed)$$'
check_PROGRAMS = main
main_SOURCES = main.c
main_CPPFLAGS = -include $(srcdir)/all.h
main_LDADD = libshared.la
TESTS = main
END
mkdir m4
autoreconf -i
mkdir b
cd b
../configure --prefix="$PWD/inst"
grep -q '^#define HAVE_STRDUP 1' config.h
grep -q '^#define SIZEOF_LONG 8' config.h
no grep -q '^#define HAVE_NONESUCH' config.h
make
make check
make install
made inst/lib/libshared.so
nm -D inst/lib/libshared.so > names
grep -q ' T shared' names
no grep -q ' hidden' names
make distcheck DISTCHECK_CONFIGURE_FLAGS="CC=$CC"
"#;

const PERL: &str = r#"
cat > Makefile.PL <<'END'
use ExtUtils::MakeMaker;
WriteMakefile(NAME => 'Probe', VERSION => '1.0', CC => $ENV{CC}, LD => $ENV{CC});
END
mkdir -p lib t
cat > lib/Probe.pm <<'END'
package Probe; our $VERSION = '1.0'; require XSLoader; XSLoader::load('Probe', $VERSION); 1;
END
cat > Probe.xs <<'END'
#define PERL_NO_GET_CONTEXT
#include "EXTERN.h"
#include "perl.h"
#include "XSUB.h"
MODULE = Probe  PACKAGE = Probe

int
add(a, b)
    int a
    int b
  CODE:
    RETVAL = a + b;
  OUTPUT:
    RETVAL

SV *
sum(list)
    AV *list
  CODE:
    NV n = 0; for (SSize_t i = 0; i <= av_len(list); i++) n += SvNV(*av_fetch(list, i, 0));
    RETVAL = newSVnv(n);
  OUTPUT:
    RETVAL

void
fail()
  CODE:
    croak("thrown");
END
cat > t/probe.t <<'END'
use Test::More tests => 3; use Probe;
is(Probe::add(40, 2), 42); is(Probe::sum([1.5, 2.5]), 4); eval { Probe::fail() }; like($@, qr/thrown/);
END
perl Makefile.PL
make
make test
made blib/arch/auto/Probe/Probe.so
"#;

const RUBY: &str = r#"
cat > extconf.rb <<'END'
require 'rbconfig'
RbConfig::CONFIG['CC'] = RbConfig::MAKEFILE_CONFIG['CC'] = ENV['CC']
RbConfig::CONFIG['LDSHARED'] = RbConfig::MAKEFILE_CONFIG['LDSHARED'] = ENV['CC'] + ' -shared'
require 'mkmf'
abort 'strdup was not found' unless have_func('strdup', 'string.h')
abort 'nonesuch was found' if have_func('nonesuch')
abort 'long has a wrong size' unless check_sizeof('long') == 8
create_makefile('probe')
END
cat > probe.c <<'END'
#include <ruby.h>
static VALUE add(VALUE self, VALUE a, VALUE b) { return INT2NUM(NUM2INT(a) + NUM2INT(b)); }
static VALUE fail(VALUE self) { rb_raise(rb_eArgError, "thrown %d", 3); }
static VALUE each(VALUE self, VALUE list) { for (long i = 0; i < RARRAY_LEN(list); i++) rb_yield(rb_ary_entry(list, i)); return Qnil; }
void Init_probe(void)
{
    VALUE m = rb_define_module("Probe");
    rb_define_module_function(m, "add", add, 2);
    rb_define_module_function(m, "fail", fail, 0);
    rb_define_module_function(m, "each", each, 1);
}
END
ruby extconf.rb
make V=1
made probe.so
ruby -I. -e 'require "probe"
raise unless Probe.add(40, 2) == 42
n = 0; Probe.each([1, 2, 3]) { |x| n += x }
raise unless n == 6
begin; Probe.fail; raise "not thrown"; rescue ArgumentError => e; puts e.message; end'
"#;

const CGO: &str = r#"
printf 'module probe\n\ngo 1.19\n' > go.mod
cat > main.go <<'END'
package main

/*
#cgo CFLAGS: -DFACTOR=2
#cgo LDFLAGS: -lm
#include <math.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
struct pair { int a; double b; };
enum color { RED = 3, GREEN };
extern int goCallback(int);
static inline struct pair make(int a) { struct pair p = { a * FACTOR, sqrt(a) }; return p; }
static int fails(void) { errno = ENOENT; return -1; }
int back(int n);
static const char *name(void) { return "from C"; }
#define BIG 0x123456789aLL
#define TEXT "macro text"
union u { int i; float f; };
*/
import "C"
import (
	"fmt"
	"os"
	"unsafe"
)

//export goCallback
func goCallback(n C.int) C.int { return n * 10 }

func main() {
	p := C.make(16)
	_, err := C.fails()
	s := C.CString("hello")
	defer C.free(unsafe.Pointer(s))
	fmt.Println(p.a, p.b, C.GREEN, err, C.GoString(C.name()), C.strlen(s), int64(C.BIG), C.TEXT, unsafe.Sizeof(C.union_u{}), C.back(4))
	if p.a != 32 || p.b != 4 || err == nil || C.back(4) != 41 || C.TEXT != "macro text" || C.BIG != 0x123456789a {
		os.Exit(1)
	}
}
END
cat > back.c <<'END'
#include "_cgo_export.h"
int back(int n) { return goCallback(n) + 1; }
END
export GOFLAGS=-buildvcs=false GOCACHE="$PWD/cache" CGO_ENABLED=1 CGO_CFLAGS='-g -O2'
go build -x -o internal . 2> internal.log
grep -q "$CC" internal.log
./internal
go build -ldflags=-linkmode=external -o external .
made external
./external
go build -buildmode=c-archive -o lib.a .
"#;

const NODE_GYP: &str = r#"
echo '{ "targets": [ { "target_name": "probe", "sources": [ "probe.c" ] } ] }' > binding.gyp
echo '{ "name": "probe", "version": "1.0.0" }' > package.json
cat > probe.c <<'END'
#include <node_api.h>
static napi_value Add(napi_env env, napi_callback_info info)
{
    size_t argc = 2;
    napi_value args[2], result;
    double a, b;
    napi_get_cb_info(env, info, &argc, args, NULL, NULL);
    napi_get_value_double(env, args[0], &a);
    napi_get_value_double(env, args[1], &b);
    napi_create_double(env, a + b, &result);
    return result;
}
NAPI_MODULE_INIT()
{
    napi_value f;
    napi_create_function(env, "add", NAPI_AUTO_LENGTH, Add, NULL, &f);
    napi_set_named_property(env, exports, "add", f);
    return exports;
}
END
gyp=$(find /usr/lib/node_modules /usr/share/nodejs /usr/local/lib/node_modules -name node-gyp.js -path '*bin*' 2> /dev/null | head -n 1)
test -n "$gyp" || { echo "node-gyp was not found: it comes with npm"; exit 1; }
# Addons are linked by the C++ compiler.
CXX="$CC" node "$gyp" rebuild --nodedir=/usr
made build/Release/probe.node
node -e 'if (require("./build/Release/probe").add(40, 2) !== 42) process.exit(1)'
"#;

const CCACHE: &str = r#"
sources
export CCACHE_DIR="$PWD/cache"
cat all.h main.c > one.c
hits() { ccache --print-stats | awk '/direct_cache_hit|preprocessed_cache_hit/ { n += $2 } END { print n + 0 }'; }
for flags in '-O2' '-O2 -g -MD -MF one.d' '-O1 -Wall -Wextra -fdiagnostics-color'; do
    for mode in DIRECT NODIRECT; do
        rm -rf cache
        before=$(hits)
        env "CCACHE_$mode=1" ccache "$CC" $flags -c one.c -o first.o
        rm -f one.d
        env "CCACHE_$mode=1" ccache "$CC" $flags -c one.c -o second.o
        case $flags in *-MF*) grep -q '^second.o: one.c' one.d;; esac
        "$CC" $flags -c one.c -o plain.o
        cmp first.o second.o
        cmp plain.o second.o
        test "$(hits)" -gt "$before"
    done
done
made first.o
"#;

const SCCACHE: &str = r#"
sources
cat all.h main.c > one.c
export SCCACHE_DIR="$PWD/cache" SCCACHE_SERVER_PORT=$((20000 + $$ % 20000)) SCCACHE_IDLE_TIMEOUT=60
sccache --start-server
trap 'sccache --stop-server > /dev/null' EXIT
for flags in '-O2' '-O2 -g -MD'; do
    sccache "$CC" $flags -c one.c -o first.o
    sccache "$CC" $flags -c one.c -o second.o
    "$CC" $flags -c one.c -o plain.o
    cmp first.o second.o
    cmp plain.o first.o
done
sccache --show-stats > stats
grep -q '^Cache hits  *2' stats
grep -q '^Non-cacheable compilations  *0' stats
made first.o
"#;

const DISTCC: &str = r#"
sources
cat all.h main.c > one.c
port=$((20000 + $$ % 20000))
export DISTCC_DIR="$PWD/state" DISTCC_HOSTS="127.0.0.1:$port" DISTCC_FALLBACK=0
mkdir state
distccd --no-detach --daemon --allow 127.0.0.1 --listen 127.0.0.1 --port "$port" --log-stderr --enable-tcp-insecure --jobs 2 > server.log 2>&1 &
server=$!
trap 'kill $server' EXIT
sleep 2
for flags in '-O2' '-O2 -g' '-O2 -g -MD -MF one.d'; do
    distcc tcc-rs $flags -c one.c -o far.o
    "$CC" $flags -c one.c -o near.o
    # The names of the source and of its folder are those of here.
    test "$(readelf -sW far.o | grep -c 'FILE .*one\.c$')" = 1
    objcopy --strip-debug far.o far.stripped
    objcopy --strip-debug near.o near.stripped
    cmp far.stripped near.stripped
    case $flags in *-g*) readelf -wi far.o | grep 'DW_AT_comp_dir' | grep -q "$PWD";; esac
done
grep -q 'COMPILE_OK' server.log
made far.o
"#;

const ICECC: &str = r#"
sources
cat all.h main.c > one.c
port=$((20000 + $$ % 20000))
mkdir named near far sockets
chown icecc near far sockets
ln -s "$CC" named/gcc
ln -s "$CC" named/g++
PATH="$PWD/named:$PATH"
icecc-create-env --gcc "$PWD/named/gcc" "$PWD/named/g++" > env.log
# Two servers on one machine are its own tests' set-up.
export ICECC_TESTS=1 ICECC_TEST_SCHEDULER_PORTS="$port:$((port + 1))"
icecc-scheduler -n probe -p "$port" -vvv > scheduler.log 2>&1 &
running=$!
trap 'kill $running' EXIT
sleep 1
server() {
    ICECC_TEST_SOCKET="$PWD/sockets/$1" iceccd -n probe -s "127.0.0.1:$port" -m 2 -N "$1" -b "$PWD/$1" -vvv -p "$2" ${3-} > "$1.log" 2>&1 &
    running="$running $!"
}
server near $((port + 2)) --no-remote
server far $((port + 3))
for wait in 1 2 3 4 5 6 7 8 9 10; do
    sleep 2
    test "$(grep -c 'login' scheduler.log)" -lt 2 || break
done
export ICECC_TEST_SOCKET="$PWD/sockets/near" ICECC_VERSION="$(echo "$PWD"/*.tar.gz)" ICECC_TEST_REMOTEBUILD=1 ICECC_PREFERRED_HOST=far
for flags in '-O2' '-O2 -g'; do
    icecc gcc $flags -c one.c -o far.o
    "$CC" $flags -c one.c -o near.o
    objcopy --strip-debug far.o far.stripped
    objcopy --strip-debug near.o near.stripped
    cmp far.stripped near.stripped
done
test "$(grep -c 'Remote compilation completed with exit code 0' far.log)" = 2
made far.o
"#;

const CC_CRATE: &str = r#"
mkdir src
cat > Cargo.toml <<'END'
[package]
name = "probe"
version = "0.1.0"
edition = "2021"
[dependencies]
zstd-sys = "2"
libsqlite3-sys = { version = "0.30", features = ["bundled"] }
[workspace]
END
cat > src/main.rs <<'END'
use std::ffi::{CStr, c_void};
fn main() {
    let (text, mut packed, mut back) = (vec![b'a'; 10_000], vec![0u8; 20_000], vec![0u8; 10_000]);
    unsafe {
        let n = zstd_sys::ZSTD_compress(packed.as_mut_ptr() as *mut c_void, packed.len(), text.as_ptr() as *const c_void, text.len(), 3);
        let m = zstd_sys::ZSTD_decompress(back.as_mut_ptr() as *mut c_void, back.len(), packed.as_ptr() as *const c_void, n);
        assert!(m == 10_000 && n < 100 && text == back);
        println!("{}", CStr::from_ptr(libsqlite3_sys::sqlite3_libversion()).to_str().unwrap());
    }
}
END
unset RUSTFLAGS TCC_RS
CARGO_TARGET_DIR="$PWD/target" cargo run
made target/debug/probe
"#;

const PIP: &str = r#"
python3 -m venv v
. v/bin/activate
pip install --quiet --upgrade setuptools wheel
export LDSHARED="$CC -shared"
for package in markupsafe==2.1.5 simplejson bitarray pycryptodome; do
    pip install --quiet --no-cache-dir --no-binary :all: --no-deps --no-build-isolation "$package"
done
made $(find v -name '_speedups*.so' -o -name '_bitarray*.so' -o -name '_raw_aes.*.so')
python -c 'import markupsafe._speedups, simplejson._speedups, bitarray
assert markupsafe.escape("<a>") == "&lt;a&gt;"
assert bitarray.test().wasSuccessful()
import simplejson; assert simplejson.loads(simplejson.dumps({"a": [1, 2.5, "x"]})) == {"a": [1, 2.5, "x"]}'
# The example of FIPS 197, and the first of FIPS 180-2.
python -c 'from Crypto.Cipher import AES
from Crypto.Hash import SHA256
key, text = bytes(range(16)), bytes.fromhex("00112233445566778899aabbccddeeff")
assert AES.new(key, AES.MODE_ECB).encrypt(text).hex() == "69c4e0d86a7b0430d8cdb78070b4c55a"
assert SHA256.new(b"abc").hexdigest().startswith("ba7816bf8f01cfea")'
"#;
