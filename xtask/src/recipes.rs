//! How `cargo xtask projects` builds and tests each project: shell commands run in a copy of its
//! source.
//!
//! `$CC` is the compiler, `$OPT` the level, `$CFLAGS` begins as `$OPT`, `$JOBS` is `-j2`. A
//! project's own tests print `FAIL` lines that gcc's build prints too where this machine is to
//! blame; `projects.rs` takes those away.

/// One project: how it is built and what proves that it works.
pub struct Project {
    /// What it is called here.
    pub name: &'static str,
    /// Folder names it is found under, each possibly followed by a version.
    pub folders: &'static [&'static str],
    /// Where its source comes from.
    pub origin: &'static str,
    /// Programs its build needs beyond a shell and make, with the Debian package that has them.
    pub needs: &'static [(&'static str, &'static str)],
    /// Built when no project is named.
    pub default: bool,
    /// Name of the step, commands.
    pub steps: &'static [(&'static str, &'static str)],
}

/// The usual life of a configured program.
const CONFIGURED: &[(&str, &str)] =
    &[("check", "./configure --disable-nls $CONFIGURE && make $JOBS && make $JOBS check")];

const fn configured(name: &'static str, folders: &'static [&'static str], origin: &'static str) -> Project {
    Project { name, folders, origin, needs: &[], default: false, steps: CONFIGURED }
}

/// SQL that inserts, joins and aggregates; its output is compared with that of gcc's build.
const SQL: &str = "cat > script.sql <<'END'
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i+1 from n where i<20000)
  insert into t select i, printf('%x', i*7919 % 65537), i/7.0 from n;
create index tb on t(b);
select count(*), sum(c), max(b), min(b) from t;
select a.b, count(*), avg(b.c) from t a join t b on a.b = b.b group by a.b order by 2 desc, 1 limit 20;
select substr(b, 1, 2) p, count(*), round(sum(c), 3), min(a) from t group by p having count(*) > 5 order by 3 desc limit 40;
update t set c = c * 2 where a % 3 = 0; delete from t where a % 5 = 0;
select total(c), group_concat(b) from (select b, c from t order by c desc limit 30);
select a, sum(c) over (order by a rows between 3 preceding and current row) from t where a < 40;
create table j(k, v); insert into j select a % 97, json_object('b', b, 'c', c) from t;
select k, json_extract(v, '$.b'), count(*) from j group by k order by k limit 30;
select count(*), sum(length(v)) from j join t on j.k = t.a where v like '%a%';
explain query plan select * from t a join t b using(b) where a.a > 100;
pragma integrity_check;
END
./ref :memory: < script.sql > out.ref && ./own :memory: < script.sql | cmp - out.ref && [ $(wc -l < out.ref) -gt 100 ]";

/// The projects, smallest first.
#[rustfmt::skip]
pub const PROJECTS: &[Project] = &[
    Project { name: "zlib", folders: &["zlib"], origin: "apt-get source zlib, or github.com/madler/zlib", needs: &[], default: true, steps: &[
        ("static and shared", "./configure && make $JOBS && make check"),
        ("static", "make distclean; ./configure --static && make $JOBS && make check"),
        ("PIE", "make distclean; CFLAGS=\"$OPT -fPIE -pie\" ./configure --static && make $JOBS && make check"),
        ("static programs", "make distclean; CFLAGS=\"$OPT -static\" ./configure --static && make $JOBS && make check"),
        ("infcover", "make distclean; ./configure --static && make $JOBS libz.a && $CC $CFLAGS -I. test/infcover.c libz.a -o infcover && ./infcover"),
    ] },
    Project { name: "bzip2", folders: &["bzip2"], origin: "apt-get source bzip2, or sourceware.org/bzip2", needs: &[], default: true, steps: &[
        ("check", "make $JOBS CC=\"$CC\" CFLAGS=\"$OPT -D_FILE_OFFSET_BITS=64\" bzip2 bzip2recover && make CC=\"$CC\" test"),
        ("static", "make clean; make $JOBS CC=\"$CC\" CFLAGS=\"$OPT -D_FILE_OFFSET_BITS=64\" LDFLAGS=-static bzip2 && make CC=\"$CC\" test"),
        ("shared", "make clean; make -f Makefile-libbz2_so CC=\"$CC\" CFLAGS=\"$OPT -fpic -fPIC -D_FILE_OFFSET_BITS=64\"
            ./bzip2-shared -9 < manual.html > m.bz2 && LD_LIBRARY_PATH=. ./bzip2-shared -dc m.bz2 | cmp - manual.html"),
    ] },
    Project { name: "lz4", folders: &["lz4"], origin: "apt-get source lz4, or github.com/lz4/lz4", needs: &[], default: true, steps: &[
        ("check", "make $JOBS CC=\"$CC\" CFLAGS=\"$OPT\" && make -C tests $JOBS CC=\"$CC\" CFLAGS=\"$OPT\" all"),
        ("tests", "make -C tests CC=\"$CC\" CFLAGS=\"$OPT\" test-lz4-essentials test-decompress-partial test-amalgamation"),
        ("fuzzer", "cd tests && ./fuzzer -t1 -T20s && ./frametest -T15s && ./roundTripTest ../lib/lz4hc.c"),
        ("static", "make clean; make $JOBS CC=\"$CC\" CFLAGS=\"$OPT\" LDFLAGS=-static lz4 && ./lz4 -9 -c lib/lz4.c | ./lz4 -dc | cmp - lib/lz4.c"),
        ("PIE", "make clean; make $JOBS CC=\"$CC\" CFLAGS=\"$OPT -fPIE\" LDFLAGS=-pie lz4 && ./lz4 -3 -c lib/lz4.c | ./lz4 -dc | cmp - lib/lz4.c"),
    ] },
    Project { name: "zstd", folders: &["zstd", "libzstd"], origin: "apt-get source libzstd, or github.com/facebook/zstd", needs: &[], default: true, steps: &[
        ("programs", "make $JOBS CC=\"$CC\" CFLAGS=\"$OPT\" zstd && ./zstd -b1 -e5 -i1 README.md && ./zstd -19 --long -c lib/compress/*.c | ./zstd -dc | md5sum"),
        ("shared", "make -C lib $JOBS libzstd && $CC $CFLAGS -Ilib examples/simple_compression.c lib/libzstd.so.1.*.* -o compress
            LD_LIBRARY_PATH=lib ./compress README.md && programs/zstd -dc README.md.zst | cmp - README.md && make -C examples test"),
        ("tests", "make -C tests $JOBS CC=\"$CC\" CFLAGS=\"$OPT\" fuzzer zstreamtest datagen decodecorpus poolTests invalidDictionaries legacy"),
        ("fuzzer", "cd tests && ./poolTests && ./invalidDictionaries && ./legacy && ./decodecorpus -t -T10 && ./fuzzer -T40s --no-big-tests && ./zstreamtest -T20s --no-big-tests"),
        ("check", "make -C tests CC=\"$CC\" CFLAGS=\"$OPT\" check"),
        ("static", "make clean; make -C programs $JOBS CC=\"$CC\" CFLAGS=\"$OPT\" LDFLAGS=-static zstd && programs/zstd -9 -c README.md | programs/zstd -dc | cmp - README.md"),
    ] },
    Project { name: "lua", folders: &["lua"], origin: "www.lua.org/ftp (lua-5.4, with lua-5.4-tests in its folder tests), or the .orig.tar.gz of apt-get source lua5.4", needs: &[], default: true, steps: &[
        ("tests", "make -C src $JOBS CC=\"$CC -std=gnu99\" CFLAGS=\"$OPT -DLUA_USE_LINUX -DLUA_COMPAT_5_3\" MYLIBS='-Wl,-E -ldl' all
            if [ -d tests ]; then cd tests && ../src/lua -e '_U=true' all.lua; else src/lua -v; fi"),
        ("luac", "printf '%s\\n' 'local t = {} for i = 1, 2000 do t[i] = (i * 7919) % 2003 end table.sort(t)' \
            'print(t[1], t[1000], #t, string.format(\"%.14g %5d %q\", math.pi, 42, \"x\\n\"), (\"abc\"):rep(3, \"-\"))' \
            'print(pcall(error, {}), select(\"#\", string.byte(\"hello\", 1, -1)), 7 // 2, -7 % 3, 2^53, 1 << 62)' \
            'for w in string.gmatch(\"one two  three\", \"%a+\") do io.write(w, \";\") end print(utf8.char(228, 8364))' \
            'local co = coroutine.wrap(function(a) for i = 1, 3 do a = a + coroutine.yield(a * i) end return \"end\" end) print(co(1), co(2), co(3), co(4))' > s.lua
            src/luac -o s.luac s.lua && src/lua s.luac > out.own && src/lua s.lua | cmp - out.own && grep 'one;two;three;' out.own"),
        ("static", "make -C src clean; make -C src $JOBS CC=\"$CC -std=gnu99 -static\" CFLAGS=\"$OPT -DLUA_USE_POSIX\" all && src/lua s.lua | cmp - out.own"),
        ("PIE", "make -C src clean; make -C src $JOBS CC=\"$CC -std=gnu99 -pie\" CFLAGS=\"$OPT -fPIE -DLUA_USE_POSIX\" all && src/lua s.lua | cmp - out.own"),
        ("shared", "make -C src clean; make -C src $JOBS CC=\"$CC -std=gnu99\" CFLAGS=\"$OPT -fPIC -DLUA_USE_LINUX\" MYLIBS='-Wl,-E -ldl' a lua.o
            cd src && $CC -shared -o liblua.so l[a-tv-z]*.o lundump.o lutf8lib.o -lm -ldl && $CC -o ../lua-shared lua.o ./liblua.so -lm && cd .. && (cd src && ../lua-shared ../s.lua) | cmp - out.own"),
    ] },
    Project { name: "sqlite", folders: &["sqlite"], origin: "apt-get source sqlite3, or www.sqlite.org (the amalgamation or the full source)", needs: &[("gcc", "gcc"), ("tclsh", "tcl")], default: true, steps: &[
        ("amalgamation", "if [ ! -f sqlite3.c ]; then ./configure --disable-tcl --disable-readline && make sqlite3.c shell.c; fi"),
        ("shell", "$CC $OPT shell.c sqlite3.c -o own -lm -lpthread -ldl && gcc -O1 -w shell.c sqlite3.c -o ref -lm -lpthread -ldl"),
        ("script", SQL),
        ("shared", "$CC $OPT -fPIC -shared sqlite3.c -o libown.so -lm -lpthread -ldl && $CC $OPT shell.c ./libown.so -o shared -lm && ./shared :memory: < script.sql | cmp - out.ref"),
        ("static", "$CC $OPT -static shell.c sqlite3.c -o static -DSQLITE_OMIT_LOAD_EXTENSION -lm -lpthread && ./static :memory: < script.sql | cmp - out.ref"),
    ] },
    Project { name: "sqlite-tests", folders: &["sqlite"], origin: "apt-get source sqlite3 (the full source)", needs: &[("tclsh", "tcl-dev")], default: false, steps: &[
        ("testfixture", "./configure --disable-readline && make CFLAGS=\"$OPT\" testfixture"),
        ("tests", "chmod 777 .; for t in select1 select4 join where in expr func index trans collate1 trigger2 fts3aa json101 window1 with1 printf atof1 date like cast intpkey; do
            ./testfixture test/$t.test > t.log 2>&1; tail -n1 t.log | grep -q . && grep -E '^! |errors out of' t.log | sed \"s/^/$t: /; s/^\\(.*: \\)! /FAIL \\1/\"; grep -q ' 0 errors out of' t.log || bad=1; done; [ -z \"$bad\" ]"),
    ] },
    Project { name: "xz", folders: &["xz-utils", "xz"], origin: "apt-get source xz-utils", needs: &[], default: false, steps: CONFIGURED },
    configured("gzip", &["gzip"], "apt-get source gzip"),
    configured("sed", &["sed"], "apt-get source sed"),
    configured("grep", &["grep"], "apt-get source grep"),
    configured("diffutils", &["diffutils"], "apt-get source diffutils"),
    configured("gawk", &["gawk"], "apt-get source gawk"),
    configured("make", &["make-dfsg", "make"], "apt-get source make"),
    configured("pcre2", &["pcre2"], "apt-get source pcre2"),
    configured("libpng", &["libpng1.6", "libpng"], "apt-get source libpng1.6"),
    configured("coreutils", &["coreutils"], "apt-get source coreutils"),
    Project { name: "expat", folders: &["expat"], origin: "apt-get source expat", needs: &[("autoreconf", "autoconf automake libtool"), ("libtoolize", "libtool")], default: false, steps: &[
        ("check", "unset ACLOCAL AUTOCONF AUTOHEADER AUTOMAKE; cd expat 2>/dev/null; ./buildconf.sh && ./configure --without-docbook && make $JOBS && make check"),
    ] },
    Project { name: "jq", folders: &["jq"], origin: "apt-get source jq", needs: &[("autoreconf", "autoconf automake"), ("libtoolize", "libtool"), ("bison", "bison"), ("flex", "flex")], default: false, steps: &[
        ("check", "unset ACLOCAL AUTOCONF AUTOHEADER AUTOMAKE; autoreconf -i && ./configure --disable-docs --disable-maintainer-mode --without-oniguruma && make $JOBS && make check"),
    ] },
    Project { name: "bash", folders: &["bash"], origin: "apt-get source bash", needs: &[], default: false, steps: &[
        ("check", "./configure --disable-nls --without-bash-malloc && make $JOBS && make tests > tests.log 2>&1; ./bash -c 'echo ok $((6*7)) ${BASH_VERSION%%.*}' && sed 's/^[<>]/FAIL &/' tests.log"),
    ] },
    Project { name: "tcc", folders: &["tcc", "tinycc"], origin: "apt-get source tcc", needs: &[], default: false, steps: &[
        ("check", "./configure --cc=\"$CC\" --extra-cflags=\"$OPT\" && make && make -k test; make -k test 2>&1 | grep -E 'Error' | sed 's/^/FAIL /'; ./tcc -B. -run examples/ex1.c"),
    ] },
    Project { name: "busybox", folders: &["busybox"], origin: "apt-get source busybox", needs: &[], default: false, steps: &[
        ("check", "make defconfig && sed -i -e 's/.*CONFIG_STATIC .*/CONFIG_STATIC=n/' -e 's/CONFIG_TC=y/CONFIG_TC=n/' .config && make $JOBS CC=\"$CC\" HOSTCC=\"$CC\" && cd testsuite && SKIP_KNOWN_BUGS=y SKIP_INTERNET_TESTS=y ./runtest"),
    ] },
];
