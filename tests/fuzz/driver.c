// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * driver.c - a fuzz target without libFuzzer.
 *
 *   fuzz_X [-seed N] [-runs N] [-write DIR] [FILE...]
 *
 * Runs the FILEs, if some are given (an input that crashed, say). Else it makes
 * inputs of the images in FAKERAID_IMAGES (build/images), runs each as it is,
 * and then N inputs that are mutations of them: the same for the same seed.
 * -write puts the unmutated ones into files instead, a corpus for libFuzzer.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>

#include "fuzz.h"

enum { MAX_SEEDS = 1024 };

struct seed {
	uint8_t *data;
	size_t size;
};

static struct {
	struct seed list[MAX_SEEDS];
	size_t count;
} seeds;

/* ---- an input that crashes is kept ---- */

static uint8_t current[FUZZ_MAX_INPUT];
static size_t current_size;

static void keep_current(void)
{
	const char *folder = getenv("FAKERAID_BUILD");
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/crash-%s", folder == NULL ? "/tmp" : folder, fuzz_name);
	fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, current, current_size) < 0)
		return;
	close(fd);
	fprintf(stderr, "the input is kept in %s\n", path);
}

static void on_signal(int number)
{
	keep_current();
	signal(number, SIG_DFL);
	raise(number);
}

/* Sanitizers end the program without a signal. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch_for_crashes(void)
{
	static const int signals[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGALRM };

	if (__sanitizer_set_death_callback != NULL)
		__sanitizer_set_death_callback(keep_current);
	for (size_t i = 0; i < FR_COUNT(signals); i++) {
		if (signals[i] == SIGABRT || signals[i] == SIGALRM || __sanitizer_set_death_callback == NULL)
			signal(signals[i], on_signal);
	}
}

static void run_current(void)
{
	uint8_t *exact = malloc(current_size + (current_size == 0)); /* a read past its end is noticed */

	MUST(exact != NULL);
	memcpy(exact, current, current_size);
	alarm(20);
	LLVMFuzzerTestOneInput(exact, current_size);
	alarm(0);
	free(exact);
}

/* ---- seeds ---- */

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void add_seed(const char *folder)
{
	static uint8_t input[FUZZ_MAX_INPUT];
	size_t size = fuzz_seed(folder, input);
	struct seed *s = &seeds.list[seeds.count];

	if (size == 0 || seeds.count == MAX_SEEDS)
		return;
	s->data = malloc(size);
	MUST(s->data != NULL);
	memcpy(s->data, input, size);
	s->size = size;
	seeds.count++;
}

/* Cases lie two levels down; their order is that of their names. */
static void find_seeds(const char *folder, int depth)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_visible, alphasort);

	for (int i = 0; i < count; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (depth > 0)
			add_seed(path);
		else
			find_seeds(path, depth + 1);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
}

static int write_seeds(const char *folder)
{
	for (size_t i = 0; i < seeds.count; i++) {
		char path[4096];
		FILE *out;

		snprintf(path, sizeof(path), "%s/%s-%04zu", folder, fuzz_name, i);
		out = fopen(path, "we");
		if (out == NULL || fwrite(seeds.list[i].data, 1, seeds.list[i].size, out) != seeds.list[i].size) {
			perror(path);
			return 1;
		}
		fclose(out);
	}
	return 0;
}

/* ---- mutations: small and often of the kind that a number in a record suffers from ---- */

static uint64_t random_state;

static uint64_t draw(uint64_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state % below;
}

static void mutate_number(void)
{
	static const uint64_t likely[] = {
		0, 1, 2, 3, 7, 8, 63, 64, 65, 127, 128, 255, 511, 512, 2047, 2048, 4096, 0x7fff, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000,
		0xfffffffffffffffe, 0xffffffffffffffff,
	};
	size_t size = (size_t)1 << draw(4), at = (size_t)draw(current_size);

	if (at + size > current_size)
		return;
	if (draw(2) == 0)
		put_number(current + at, size, likely[draw(FR_COUNT(likely))]);
	else
		put_number(current + at, size, sum_words(current + at, size, 1) + draw(9) - 4);
}

/* Bytes from elsewhere: from this input or from another. */
static void mutate_copy(void)
{
	const struct seed *from = &seeds.list[draw(seeds.count)];
	size_t count = (size_t)draw(64) + 1, to = (size_t)draw(current_size), at = (size_t)draw(from->size);

	if (at + count <= from->size && to + count <= current_size)
		memcpy(current + to, from->data + at, count);
}

static void mutate_length(void)
{
	if (draw(4) == 0)
		current_size = (size_t)draw(current_size) + 1;
	else if (current_size < FUZZ_MAX_INPUT)
		current[current_size++] = (uint8_t)draw(256);
}

static void mutate(void)
{
	for (uint64_t n = draw(6) + 1; n > 0; n--) {
		switch (draw(8)) {
		case 0:
			current[draw(current_size)] ^= (uint8_t)(1u << draw(8));
			break;
		case 1:
			current[draw(current_size)] = (uint8_t)draw(256);
			break;
		case 2:
			current[draw(current_size < 8 ? current_size : 8)] = (uint8_t)draw(256); /* flags and size */
			break;
		case 3:
			mutate_copy();
			break;
		case 4:
			if (draw(8) == 0)
				mutate_length();
			break;
		default:
			mutate_number();
			break;
		}
	}
}

static void take_seed(const struct seed *s)
{
	memcpy(current, s->data, s->size);
	current_size = s->size;
}

/* ---- the program ---- */

static int run_file(const char *path)
{
	FILE *in = fopen(path, "re");

	if (in == NULL) {
		perror(path);
		return 2;
	}
	current_size = fread(current, 1, sizeof(current), in);
	fclose(in);
	run_current();
	printf("%s: %zu bytes\n", path, current_size);
	return 0;
}

static int run_all(uint64_t seed, unsigned long runs)
{
	if (seeds.count == 0) {
		printf("1..1\nnot ok 1 - %s: there are no images to make inputs of\n", fuzz_name);
		return 1;
	}
	printf("1..2\n");
	for (size_t i = 0; i < seeds.count; i++) {
		take_seed(&seeds.list[i]);
		run_current();
	}
	printf("ok 1 - %s: %zu inputs as they are\n", fuzz_name, seeds.count);
	fflush(stdout);
	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	for (unsigned long i = 0; i < runs; i++) {
		take_seed(&seeds.list[draw(seeds.count)]);
		mutate();
		run_current();
	}
	printf("ok 2 - %s: %lu mutated inputs of seed %llu\n", fuzz_name, runs, (unsigned long long)seed);
	return 0;
}

int main(int argc, char **argv)
{
	const char *images = getenv("FAKERAID_IMAGES"), *write_to = NULL;
	unsigned long seed = 1, runs = 1000;
	int files = 0, rc = 0;

	watch_for_crashes();
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "-seed") == 0 && i + 1 < argc) {
			seed = strtoul(argv[++i], NULL, 10);
		} else if (strcmp(argv[i], "-runs") == 0 && i + 1 < argc) {
			runs = strtoul(argv[++i], NULL, 10);
		} else if (strcmp(argv[i], "-write") == 0 && i + 1 < argc) {
			write_to = argv[++i];
		} else {
			files++;
			rc |= run_file(argv[i]);
		}
	}
	if (files == 0) {
		find_seeds(images == NULL ? "build/images" : images, 0);
		rc = write_to != NULL ? write_seeds(write_to) : run_all(seed, runs);
	}
	for (size_t i = 0; i < seeds.count; i++)
		free(seeds.list[i].data);
	return rc;
}
