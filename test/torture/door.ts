/** Where somebody is reached who may go away and come back at the same place. */
export type Door = {
  readonly isOpen: () => boolean;
  /** Nobody listens any more, and every connection is broken. */
  readonly shut: () => void;
  readonly open: () => Promise<void>;
};

type Server = { readonly stop: () => void };

export function doorOf(serve: () => Server | Promise<Server>): Door {
  let server: Server | null = null;
  return {
    isOpen: () => server !== null,
    shut: () => {
      server?.stop();
      server = null;
    },
    open: async () => {
      if (server === null) server = await serve();
    },
  };
}
