/** Whether a link opens on the machine alone that it was made on: it names the loopback, or no machine at all. Pure. */
export function isLoopbackLink(link: string): boolean {
  const [, host] = /^https?:\/\/(\[[^\]]*\]|[^/:]+)/.exec(link) ?? [];
  return host === undefined || host === "localhost" || host === "[::1]" || host.startsWith("127.");
}
