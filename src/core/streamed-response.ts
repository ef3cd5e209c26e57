/** Answers whose body is made while it leaves. */

type StreamedBody = {
  readonly body: ReadableStream<Uint8Array>;
  /** It goes on until the client ends: a client that ended its half is taken for gone. */
  readonly endsWithClient: boolean;
};

const STREAMED = new WeakMap<Response, StreamedBody>();

/**
 * An answer whose body leaves piece by piece, each asked for once the client took the one before it. The server cannot tell such
 * a body by itself, and would gather one that is not made here.
 */
export function streamedResponse(
  body: ReadableStream<Uint8Array>,
  init: ResponseInit,
  options: { readonly endsWithClient: boolean } = { endsWithClient: false },
): Response {
  const response = new Response(body, init);
  STREAMED.set(response, { body, endsWithClient: options.endsWithClient });
  return response;
}

/** The body of an answer of `streamedResponse`; null of any other. */
export function getStreamedBody(response: Response): StreamedBody | null {
  return STREAMED.get(response) ?? null;
}
