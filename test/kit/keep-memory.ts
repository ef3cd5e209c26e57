/**
 * For processes that run tests and end soon: what was freed stays with the process. To give it back to the system and ask for it
 * again was a quarter of their time on the processor. Read by mimalloc, the allocator of the runtime.
 */
export const KEEP_MEMORY: Readonly<Record<string, string>> = { MIMALLOC_PURGE_DELAY: "-1" };
