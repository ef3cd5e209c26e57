import { connect, type Socket } from "node:net";

export type Said = {
  /** Status and, where the body is ours, code: "422 VALIDATION_FAILED"; "nothing" when no answer came. */
  readonly verdict: string;
  readonly answers: number;
  readonly isClosed: boolean;
  /** Whether everything that came from the API itself had a request id. */
  readonly isSigned: boolean;
  readonly text: string;
};

export const connection = (port: number): Socket => {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  return socket;
};

/** Sends bytes and waits until the server closes the connection, or has been silent for `quietMs` after an answer. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  quietMs = 150,
  longestMs = 45_000,
): Promise<Said> {
  return new Promise((resolve) => {
    const socket = connection(port);
    const chunks: Buffer[] = [];
    let quiet: Timer | null = null;
    const done = (isClosed: boolean): void => {
      clearTimeout(late);
      if (quiet) clearTimeout(quiet);
      socket.destroy();
      resolve(said(Buffer.concat(chunks).toString("latin1"), isClosed));
    };
    const late = setTimeout(() => done(false), longestMs);
    socket.on("data", (chunk) => {
      chunks.push(Buffer.from(chunk));
      if (quiet) clearTimeout(quiet);
      quiet = setTimeout(() => done(false), quietMs);
    });
    socket.on("close", () => done(true));
    socket.write(bytes);
  });
}

export function said(text: string, isClosed: boolean): Said {
  const answers = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status);
  const final = answers.filter((status) => status !== "100");
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  return {
    verdict: final[0] === undefined ? "nothing" : code ? `${final[0]} ${code}` : final[0],
    answers: final.length,
    isClosed,
    isSigned: !/content-type/i.test(text) || /x-request-id: \S/i.test(text),
    text,
  };
}
