/** Serving HTTP, over TCP or at a path of the file system, as the runtime does it and as far as it is used here. */

export type Serve = (options: ServeOptions) => HttpServer;

export type ServeOptions = {
  /** Where: a port 0 is any free one. */
  readonly at: { readonly hostname: string; readonly port: number } | { readonly unix: string };
  /** PEM texts, for HTTPS. */
  readonly certificate?: Certificate | null;
  /** A connection on which nothing moves is closed after this. */
  readonly idleTimeout?: number;
  readonly maxRequestBodySize: number;
  readonly fetch: (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>;
};

export type Certificate = { readonly cert: string; readonly key: string };

export type HttpServer = Pick<Bun.Server<undefined>, "url" | "port" | "pendingRequests" | "stop">;

/** On the machine's network. @throws the runtime's error when the address cannot be listened on. */
export const systemServe: Serve = ({ at, certificate, idleTimeout, maxRequestBodySize, fetch }) => {
  if ("unix" in at) return Bun.serve({ unix: at.unix, maxRequestBodySize, fetch });
  return Bun.serve({
    ...at,
    ...(idleTimeout === undefined ? {} : { idleTimeout }),
    ...(certificate ? { tls: certificate } : {}),
    maxRequestBodySize,
    fetch,
  });
};
