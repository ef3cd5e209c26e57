/**
 * What the console touches of the browser: the network, time, what is kept on this device. Everything else asks this file, so that
 * nothing else can reach out.
 */

/** Asks the server that the page came from. @throws TypeError when it cannot be reached. */
export function askServer(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, { credentials: "same-origin", cache: "no-store", redirect: "error", ...init });
}

export const nowMs = (): number => Date.now();

/** Calls back once after `delayMs`; what is returned takes that back. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** Calls back every `everyMs` until what is returned is called. */
export function every(everyMs: number, callback: () => void): () => void {
  const timer = setInterval(callback, everyMs);
  return () => clearInterval(timer);
}

/** Opens the stream of server-sent events at `path`; what is returned closes it. */
export function listen(
  path: string,
  told: {
    readonly data: (text: string) => void;
    /** `isOver`: it was refused, and is not tried again. */
    readonly lost: (isOver: boolean) => void;
  },
): () => void {
  const source = new EventSource(path);
  source.onmessage = ({ data }) => told.data(String(data));
  source.onerror = () => told.lost(source.readyState === EventSource.CLOSED);
  return () => source.close();
}

/** What was kept on this device under a name; null where there is nothing, or nothing may be kept. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`bendre.${name}`);
  } catch {
    return null;
  }
}

/** Keeps a value on this device; null forgets it. Where nothing may be kept, it is not. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`bendre.${name}`);
    else localStorage.setItem(`bendre.${name}`, value);
  } catch {
    return;
  }
}

/** A text that nobody guesses and nobody had before: 32 hexadecimal digits. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Opens the browser's window for printing. */
export function printPage(): void {
  print();
}
