// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a generated network once: network.elf CONSTANTS INPUT OUTPUT, all of them files. The
// network's header is NETWORK_HEADER, and NETWORK(x) its name with x behind it. Prints a line for
// each layer
//   BENCH name=LAYER start=S cycles=C macs=M array=A bytes=B
// with the cycle counter where its issue began, the cycles that the array needs for it and the
// bytes that it takes from and to DRAM, and 'NETWORK cycles=C ok=0|1', where ok tells whether the
// output is that of the file.

#include NETWORK_HEADER

#include <npu/dma.h>
#include <npu/placement.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static NPU_DRAM_BSS _Alignas(4096) uint8_t network[NETWORK_UPPER(_DRAM_BYTES) + 1];
static int8_t *const input = (int8_t *)network + NETWORK_UPPER(_INPUT_OFFSET);
static int8_t *const output = (int8_t *)network + NETWORK_UPPER(_OUTPUT_OFFSET);
static NPU_DRAM_BSS int8_t expected[NETWORK_UPPER(_OUTPUT_BYTES) + 1];

// A file of exactly `bytes` bytes; the buffer has room for one more.
static int read_file(const char *name, void *to, size_t bytes) {
  const int in = open(name, O_RDONLY);
  size_t done = 0;
  for (ssize_t count; in >= 0 && (count = read(in, (char *)to + done, bytes + 1 - done)) > 0;)
    done += (size_t)count;
  if (in >= 0 && done == bytes)
    return 1;
  fprintf(stderr, "run_network: %s: not a file of %lu bytes\n", name, (unsigned long)bytes);
  return 0;
}

__attribute__((noinline)) static npu_status measured_call(const char **failed) {
  return NETWORK(_run)(input, network, output, failed);
}

int main(int argc, char **argv) {
  if (argc != 4 || !read_file(argv[1], network, NETWORK_UPPER(_CONSTANT_BYTES)) ||
      !read_file(argv[2], input, NETWORK_UPPER(_INPUT_BYTES)) ||
      !read_file(argv[3], expected, NETWORK_UPPER(_OUTPUT_BYTES)))
    return 2;
  const char *failed = "";
  const npu_status status = measured_call(&failed);
  if (status != NPU_OK) {
    fprintf(stderr, "run_network: layer %s: status %d (%s)\n", failed, (int)status,
            status == NPU_ERROR_TRANSFER ? "a transfer failed" : "error of the matrix unit");
    return 1;
  }
  const uint32_t *cycles = NETWORK(_cycles);
  for (int i = 0; i < NETWORK_UPPER(_LAYERS); ++i)
    printf("BENCH name=%s start=%lu cycles=%lu macs=%lu array=%lu bytes=%lu\n",
           NETWORK(_layers)[i].name, (unsigned long)cycles[i],
           (unsigned long)(cycles[i + 1] - cycles[i]), (unsigned long)NETWORK(_layers)[i].macs,
           (unsigned long)NETWORK(_layers)[i].array_cycles,
           (unsigned long)NETWORK(_layers)[i].dram_bytes);
  const int ok = memcmp(output, expected, NETWORK_UPPER(_OUTPUT_BYTES)) == 0;
  printf("NETWORK cycles=%lu ok=%d\n", (unsigned long)(cycles[NETWORK_UPPER(_LAYERS)] - cycles[0]),
         ok);
  return !ok;
}
