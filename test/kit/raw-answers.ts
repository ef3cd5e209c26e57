import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { OctetForm } from "./octets-behind.ts";

/** An answer as it came over the wire. */
export type RawAnswer = { readonly status: number; readonly head: string; readonly body: string };

/** A connection that may be ended by halves; certificates are taken as they are. */
export function openRaw(port: number, tls: boolean): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const at = { port, host: "127.0.0.1", allowHalfOpen: true };
    const socket = tls
      ? connectTls({ ...at, rejectUnauthorized: false }, () => resolve(socket))
      : connectTcp(at, () => resolve(socket));
    socket.setNoDelay(true);
    socket.once("error", reject);
  });
}

/** Writes what a form says and reads answers until as many came as it promises. @throws when the connection ends before. */
export async function answersTo(port: number, tls: boolean, form: OctetForm): Promise<RawAnswer[]> {
  const socket = await openRaw(port, tls);
  let text = "";
  let hasEnded = false;
  let told = (): void => {};
  socket.on("data", (octets) => {
    text += octets.toString("latin1");
    told();
  });
  for (const event of ["end", "error", "close"]) {
    socket.on(event, () => {
      hasEnded = true;
      told();
    });
  }
  for (const write of form.writes) {
    if (typeof write === "number") await new Promise((resolve) => setTimeout(resolve, write));
    else socket.write(Buffer.from(write, "latin1"));
  }
  if (form.endsHalf) socket.end();
  for (;;) {
    const answers = answersIn(text);
    if (answers.length >= form.answered) {
      socket.destroy();
      return answers;
    }
    if (hasEnded) throw new Error(`the connection ended after ${JSON.stringify(text.slice(0, 500))}`);
    await new Promise<void>((resolve) => {
      told = resolve;
    });
  }
}

/** The final answers that a text begins with, as far as they are whole. */
export function answersIn(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = text;
  for (;;) {
    const headEnd = rest.indexOf("\r\n\r\n");
    if (headEnd < 0) return answers;
    const head = rest.slice(0, headEnd);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    rest = rest.slice(headEnd + 4);
    if (status < 200) continue;
    const body = bodyIn(head, rest);
    if (body === null) return answers;
    answers.push({ status, head, body: body.text });
    rest = rest.slice(body.length);
  }
}

function bodyIn(head: string, rest: string): { readonly text: string; readonly length: number } | null {
  if (!/^transfer-encoding: chunked/im.test(head)) {
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    return rest.length < length ? null : { text: rest.slice(0, length), length };
  }
  let at = 0;
  const pieces: string[] = [];
  for (;;) {
    const lineEnd = rest.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(rest.slice(at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (rest.length < end) return null;
    if (size === 0) return { text: pieces.join(""), length: end };
    pieces.push(rest.slice(lineEnd + 2, end - 2));
    at = end;
  }
}
