/** Room for two processes that run tests and give no memory back, and for others beside them, in octets. */
const MEMORY_TO_KEEP = 10 * 1024 ** 3;

/**
 * For processes that run tests and end soon: what was freed stays with the process. To give it back to the system and ask for it
 * again was a quarter of their time on the processor. Read by mimalloc, the allocator of the runtime. Empty where memory is short.
 */
export function keepMemory(): Readonly<Record<string, string>> {
  return process.availableMemory() < MEMORY_TO_KEEP ? {} : { MIMALLOC_PURGE_DELAY: "-1" };
}
