# SPDX-License-Identifier: GPL-2.0-or-later
#
#   make            the library and the command, in build/
#   make demo       two disk images of a stripe, listed, booted, activated, mounted (installs what it needs)
#   make check      all tests, those in an emulated kernel too (installs what it needs)
#   make install    install-command and install-boot; PREFIX (/usr/local), DESTDIR; uninstall likewise
#   make check-boot  every way to boot from an array (half an hour)
#   make asan       the tests that need no kernel, under ASan and UBSan, in build/asan
#   make lint       clang-tidy, cppcheck, shellcheck, mandoc
#   make bench fuzz clean

VERSION  := 0.1.0
SOVERSION := 0

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/sbin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR     ?= $(PREFIX)/share/man
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
# Where udev, systemd, dracut and initramfs-tools look, whatever PREFIX is; /lib/udev may be a link into /usr.
UDEVDIR        ?= $(or $(realpath $(call pkg,--variable=udevdir,udev)),/usr/lib/udev)
SYSTEMDUNITDIR ?= $(or $(realpath $(call pkg,--variable=systemdsystemunitdir,systemd)),/usr/lib/systemd/system)
DRACUTDIR      ?= $(or $(realpath $(call pkg,--variable=dracutmodulesdir,dracut)),/usr/lib/dracut/modules.d)
INITRAMFSDIR   ?= /usr/share/initramfs-tools

BUILD  ?= build
CC     ?= gcc
CFLAGS ?= -O2 -g
WARN   := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wformat=2
PKGS   := devmapper blkid libudev
pkg     = $(shell pkg-config $(1) $(2) 2>/dev/null)
ALL_CFLAGS = -std=c11 $(WARN) -fPIC -fvisibility=default -Iinclude -Isrc -Iformats -DFR_VERSION='"$(VERSION)"' \
             $(call pkg,--cflags,$(PKGS)) $(CPPFLAGS) $(CFLAGS)

LIB_SRCS := $(addprefix src/, pool.c context.c words.c level.c disk.c sectors.c claim.c deep.c set.c roster.c arbitrate.c condition.c scan.c \
              plan.c plan_check.c table.c read.c verify.c partition.c dm.c block.c active.c activate.c deactivate.c status.c policy.c notes.c arrival.c compat.c \
              owner.c) \
            $(addprefix formats/, registry.c isw.c nvidia.c sil.c pdc.c)
CLI_SRCS := $(sort $(wildcard src/cli/*.c))
TESTS    := $(patsubst tests/%.c,%,$(sort $(wildcard tests/test_*.c)))

LIB_OBJS := $(LIB_SRCS:%.c=$(BUILD)/%.o)
CLI_OBJS := $(CLI_SRCS:%.c=$(BUILD)/%.o)
SONAME   := libfakeraid.so.$(SOVERSION)
SHARED   := $(BUILD)/$(SONAME)
STATIC   := $(BUILD)/libfakeraid.a
COMMAND  := $(BUILD)/fakeraid
# What boots, as FILE:PLACE.
BOOT_PLACES = $(foreach file,$(wildcard udev/*.rules),$(file):$(UDEVDIR)/rules.d/$(notdir $(file))) \
              $(foreach file,$(wildcard systemd/*),$(file):$(SYSTEMDUNITDIR)/$(notdir $(file))) \
              $(foreach file,$(wildcard dracut/*/*),$(file):$(DRACUTDIR)/$(file:dracut/%=%)) \
              $(foreach file,$(wildcard initramfs-tools/hooks/* initramfs-tools/scripts/*/*), \
                $(file):$(INITRAMFSDIR)/$(file:initramfs-tools/%=%))
LIB_LIBS  = $(call pkg,--libs,$(PKGS))
CLI_LIBS  = $(call pkg,--libs,json-c)

all: $(COMMAND) $(STATIC)

FORCE:

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/src/cli/%.o: ALL_CFLAGS += $(call pkg,--cflags,json-c)

$(SHARED): $(LIB_OBJS) src/libfakeraid.map
	$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=src/libfakeraid.map \
	  -Wl,-z,defs -o $@ $(LIB_OBJS) $(LIB_LIBS)
	ln -sf $(SONAME) $(BUILD)/libfakeraid.so

$(STATIC): $(LIB_OBJS)
	rm -f $@
	$(AR) rcs $@ $(LIB_OBJS)

# In the build folder the command finds the library beside itself; the installed one is linked without that.
$(COMMAND): $(CLI_OBJS) $(SHARED)
	$(CC) $(CFLAGS) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN' -o $@ $(CLI_OBJS) -L$(BUILD) -lfakeraid $(CLI_LIBS)

$(BUILD)/fakeraid.pc: FORCE # it depends on PREFIX, too
	@mkdir -p $(@D)
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' 'Name: fakeraid' \
	  'Description: BIOS RAID arrays through device-mapper and in user space' 'Version: $(VERSION)' \
	  'Requires.private: $(PKGS)' 'Libs: -L$${libdir} -lfakeraid' 'Cflags: -I$${includedir}' > $@

install: install-command install-boot

install-command: all $(BUILD)/fakeraid.pc
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR) \
	  $(DESTDIR)$(MANDIR)/man8 $(DESTDIR)$(COMPLETIONDIR)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $(DESTDIR)$(BINDIR)/fakeraid $(CLI_OBJS) -L$(BUILD) -lfakeraid $(CLI_LIBS)
	install -m 755 $(SHARED) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libfakeraid.so
	install -m 644 $(STATIC) $(DESTDIR)$(LIBDIR)/
	install -m 644 $(BUILD)/fakeraid.pc $(DESTDIR)$(LIBDIR)/pkgconfig/
	install -m 644 include/fakeraid.h $(DESTDIR)$(INCLUDEDIR)/
	install -m 644 man/fakeraid.8 $(DESTDIR)$(MANDIR)/man8/
	install -m 644 completions/fakeraid $(DESTDIR)$(COMPLETIONDIR)/fakeraid
	if [ -z "$(DESTDIR)" ]; then ldconfig || true; fi

# The files say /usr/sbin/fakeraid; installed they say where the command is. Images for booting are made anew by
# whoever wants them so: update-initramfs, dracut.
install-boot:
	set -e; for place in $(BOOT_PLACES); do \
	  from=$${place%%:*} to=$(DESTDIR)$${place#*:}; \
	  install -d "$${to%/*}"; \
	  sed 's|/usr/sbin/fakeraid|$(BINDIR)/fakeraid|g; s|^\(copy_exec .*\) /usr/sbin$$|\1 $(BINDIR)|' "$$from" > "$$to"; \
	  if [ -x "$$from" ]; then chmod 755 "$$to"; else chmod 644 "$$to"; fi; \
	done

uninstall: uninstall-command uninstall-boot

uninstall-command:
	rm -f $(DESTDIR)$(BINDIR)/fakeraid $(DESTDIR)$(LIBDIR)/$(SONAME) $(DESTDIR)$(LIBDIR)/libfakeraid.so \
	  $(DESTDIR)$(LIBDIR)/libfakeraid.a $(DESTDIR)$(LIBDIR)/pkgconfig/fakeraid.pc \
	  $(DESTDIR)$(INCLUDEDIR)/fakeraid.h $(DESTDIR)$(MANDIR)/man8/fakeraid.8 $(DESTDIR)$(COMPLETIONDIR)/fakeraid

uninstall-boot:
	rm -f $(foreach place,$(BOOT_PLACES),'$(DESTDIR)$(lastword $(subst :, ,$(place)))')
	if [ -d $(DESTDIR)$(DRACUTDIR)/90fakeraid ]; then rmdir $(DESTDIR)$(DRACUTDIR)/90fakeraid; fi

clean:
	rm -rf $(BUILD)

# ---- tests ----

TEST_BINS := $(TESTS:%=$(BUILD)/tests/%)
FUZZERS   := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
TEST_LIBS  = $(call pkg,--libs,cmocka json-c $(PKGS))

# A test says in its first lines what it wants to be linked with: "link: -Wl,--wrap=pread".
$(BUILD)/tests/test_%: $(BUILD)/tests/test_%.o $(BUILD)/tests/testing.o $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(shell sed -n 's|^/\* link: \(.*\) \*/$$|\1|p' tests/test_$*.c) \
	  $(STATIC) $(TEST_LIBS)

$(BUILD)/tests/fuzz_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/driver.o $(STATIC)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(STATIC) $(call pkg,--libs,$(PKGS))

tests: all $(TEST_BINS) $(FUZZERS)

build/images/.made: tests/generate.py tests/unpack.py $(shell find tests/images -type f)
	python3 tests/unpack.py -o build/images
	python3 tests/generate.py -o build/images > /dev/null
	touch $@

# In a make of its own each: what setup installs must be there before pkg-config is asked.
check:
	tests/setup check
	$(MAKE) tests build/images/.made
	tests/guest/kernel $(BUILD)/guest
	tests/check $(BUILD)

# Without the emulator: seconds instead of minutes.
quick:
	$(MAKE) tests build/images/.made
	NO_GUEST=1 tests/check $(BUILD)

demo:
	tests/setup demo
	$(MAKE) all
	tests/guest/kernel $(BUILD)/guest
	tests/demo $(BUILD)

asan:
	$(MAKE) BUILD=build/asan quick CFLAGS="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"

fuzz: # with clang's libFuzzer, a minute each, from the seeds that the fuzzers write themselves
	$(MAKE) tests
	$(MAKE) BUILD=build/fuzz CC=clang CFLAGS="-O1 -g -fsanitize=fuzzer-no-link,address,undefined" build/fuzz/libfakeraid.a
	for f in isw nvidia pdc sil flow; do mkdir -p build/fuzz/corpus-$$f && build/tests/fuzz_$$f -write build/fuzz/corpus-$$f && \
	  clang -O1 -g -std=c11 -fsanitize=fuzzer,address,undefined -Iinclude -Isrc -Iformats -Itests -DFR_VERSION='"0"' \
	  -o build/fuzz/fuzz_$$f tests/fuzz/fuzz_$$f.c build/fuzz/libfakeraid.a $(call pkg,--libs,$(PKGS)) && \
	  build/fuzz/fuzz_$$f -max_total_time=60 -max_len=16384 build/fuzz/corpus-$$f || exit 1; done

# Every way to boot from an array, which takes half an hour.
check-boot: all
	tests/setup check
	FAKERAID_BUILD=$(abspath $(BUILD)) tests/guest/boot/check all

bench: all
	bench/cat --check

# ---- lint ----

C_FILES := $(LIB_SRCS) $(CLI_SRCS)
SCRIPTS := $(shell grep -l -r -E '^\#!/bin/(ba)?sh' tests .ci bench 2>/dev/null) 
LINT_FLAGS = -std=c11 -Iinclude -Isrc -Iformats -DFR_VERSION='"0"' $(call pkg,--cflags,$(PKGS) json-c)

lint:
	tests/setup lint
	$(MAKE) lint-now

lint-now:
	clang-tidy --quiet --warnings-as-errors='*' $(C_FILES) -- $(LINT_FLAGS)
	cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr --enable=warning,performance,portability \
	  -Iinclude -Isrc -Iformats -DFR_VERSION='"0"' $(C_FILES)
	$(MAKE) BUILD=build/clang CC=clang CFLAGS="-O1 -Werror" all
	$(MAKE) BUILD=build/gcc CC=gcc CFLAGS="-O2 -Werror" all
	shellcheck -x $(sort $(SCRIPTS)) completions/fakeraid
	mandoc -T lint -W warning man/fakeraid.8
	! grep -l -E '#include.*(libdevmapper|libudev|blkid|stdio|internal)' formats/*.[ch]
	[ "$$(grep -l 'libdevmapper.h' src/*.[ch] src/cli/*.[ch])" = src/dm.c ]
	! grep -l -E '#include.*(internal|format)\.h' src/cli/*.[ch]

-include $(LIB_OBJS:.o=.d) $(CLI_OBJS:.o=.d) $(wildcard $(BUILD)/tests/*.d $(BUILD)/tests/fuzz/*.d)

.PHONY: all install install-command install-boot uninstall uninstall-command uninstall-boot clean
.PHONY: tests check quick demo asan fuzz bench lint lint-now
.SECONDARY:
