/**
 * What the console touches of the browser: the network, time, what is kept on this device. Everything else asks this file, so that
 * nothing else can reach out.
 */

let isUnattended = (): boolean => false;

/** Marks every request by whether anybody is at the page (`console/server/guard.ts`). */
export function markUnattended(asked: () => boolean): void {
  isUnattended = asked;
}

/** Requests a path of the page's own server. @throws TypeError when it cannot be reached. */
export function askServer(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (isUnattended()) headers.set("x-unattended", "1");
  return fetch(path, { credentials: "same-origin", cache: "no-store", redirect: "error", ...init, headers });
}

/** Events that show somebody is at the page. */
const INPUTS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"] as const;

/** Calls back on every input; returns how to stop. */
export function onInput(callback: () => void | Promise<void>): () => void {
  for (const name of INPUTS) document.addEventListener(name, callback, { passive: true, capture: true });
  return () => {
    for (const name of INPUTS) document.removeEventListener(name, callback, { capture: true });
  };
}

export const nowMs = (): number => Date.now();

/** Calls back once after `delayMs`; returns how to cancel. */
export function after(delayMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}

/** Calls back every `everyMs`; returns how to stop. */
export function every(everyMs: number, callback: () => void): () => void {
  const timer = setInterval(callback, everyMs);
  return () => clearInterval(timer);
}

/**
 * Uploads a file to the page's own server, and reports progress from 0 to 1, which `fetch` does not. A status of 0: the server
 * could not be reached. Returns how to abort; then nothing more is reported.
 */
export function uploadFile(
  path: string,
  file: Blob,
  told: {
    readonly progress: (share: number) => void;
    readonly done: (status: number, text: string) => void;
  },
): () => void {
  const request = new XMLHttpRequest();
  request.open("POST", path);
  request.setRequestHeader("content-type", "application/octet-stream");
  request.upload.onprogress = ({ loaded, total }) => told.progress(total === 0 ? 1 : loaded / total);
  request.onload = () => told.done(request.status, request.responseText);
  request.onerror = () => told.done(0, "");
  request.send(file);
  return () => {
    request.onload = null;
    request.onerror = null;
    request.abort();
  };
}

/** Reads a value of this window's session; null where there is none, or nothing may be stored. */
export function readSessionStorage(name: string): string | null {
  try {
    return sessionStorage.getItem(`bendre.${name}`);
  } catch {
    return null;
  }
}

/** Stores a value for this window until it is closed, through reloads; null removes it. */
export function writeSessionStorage(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(`bendre.${name}`);
    else sessionStorage.setItem(`bendre.${name}`, value);
  } catch {
    return;
  }
}

/** Opens the stream of server-sent events at `path`; returns how to close it. */
export function listen(
  path: string,
  told: {
    readonly data: (text: string) => void;
    /** `isOver`: the stream was refused, and is not retried. */
    readonly lost: (isOver: boolean) => void;
  },
): () => void {
  const source = new EventSource(path);
  source.onmessage = ({ data }) => told.data(String(data));
  source.onerror = () => told.lost(source.readyState === EventSource.CLOSED);
  return () => source.close();
}

/** Copies a text to the clipboard; false where the browser does not let a page do that. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads a value stored on this device; null where there is none, or nothing may be stored. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`bendre.${name}`);
  } catch {
    return null;
  }
}

/** Stores a value on this device; null removes it. Does nothing where nothing may be stored. */
export function keep(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`bendre.${name}`);
    else localStorage.setItem(`bendre.${name}`, value);
  } catch {
    return;
  }
}

/** A random key that nobody guesses: 32 hexadecimal digits. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Opens the browser's window for printing. */
export function printPage(): void {
  print();
}

/** Prints one part of the page alone (`style/print.css`). */
export function printPart(part: Element): void {
  const name = "printed-alone";
  part.classList.add(name);
  addEventListener("afterprint", () => part.classList.remove(name), { once: true });
  print();
}

/** What the server wrote into the page about whom it is of. */
export function pageData(name: "seller" | "colour" | "logo"): string {
  return document.getElementById("console")?.dataset[name] ?? "";
}

/** Draws a line in a colour above the page; none where it is empty. */
export function drawBar(colour: string): void {
  document.body.style.borderTop = colour === "" ? "" : `4px solid ${colour}`;
}
