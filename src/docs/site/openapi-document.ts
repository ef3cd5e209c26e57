/** The parts of the OpenAPI document that the pages of the documentation read. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly default?: unknown;
};

type Content = {
  readonly "application/json"?: { readonly schema?: Schema; readonly example?: unknown };
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
};

export type ApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly "x-scope"?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse>>;
};

export type ApiResponse = {
  readonly description?: string;
  /** Each as a reference to one of the components. */
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly content?: Content;
};

type Header = { readonly description?: string; readonly schema?: Schema };

export type ApiDocument = {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, Header>>;
  };
};

export type NamedOperation = {
  readonly method: string;
  /** From the address of the appliance on, or of `public_url`. */
  readonly path: string;
  readonly operation: ApiOperation;
};

/** The operations under a tag, in the order of the document. */
export function listOperations({ paths, servers }: ApiDocument, tag: string): NamedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!operation.tags?.includes(tag)) return [];
      const own = methods.servers !== undefined;
      return [{ method: method.toUpperCase(), path: own ? path : (servers[0]?.url ?? "") + path, operation }];
    }),
  );
}
