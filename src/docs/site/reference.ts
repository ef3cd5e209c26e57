/**
 * The reference of the API as Markdown, made of the OpenAPI document: an index, and a page for each operation. Readers get it as HTML
 * like the pages of the guide, programs as it is.
 */
import { type GuideLanguage, type SiteTexts, WORDS } from "./language.ts";
import {
  type ApiDocument,
  type ApiOperation,
  type ApiResponse,
  listOperations,
  type NamedOperation,
  type Schema,
} from "./openapi-document.ts";
import { EXAMPLE_ORIGIN } from "./own-examples.ts";

/** Where the index stands behind `/docs/LANGUAGE/`; the page of an operation stands below, under its `operationId`. */
export const REFERENCE = "reference";

/** A page of the reference. */
type ReferencePage = {
  /** `reference`, or `reference/submitBatch`. */
  readonly slug: string;
  readonly title: string;
  readonly markdown: string;
};

/** The index of an OpenAPI document (JSON text) in the same language, and behind it the page of each operation, by tag. */
export function writeReference(openApi: string, language: GuideLanguage): readonly ReferencePage[] {
  const document = JSON.parse(openApi) as ApiDocument;
  const operations = document.tags.flatMap(({ name }) => listOperations(document, name));
  return [
    { slug: REFERENCE, title: WORDS[language].reference, markdown: writeIndex(document, language) },
    ...operations.map((named) => ({
      slug: `${REFERENCE}/${named.operation.operationId}`,
      title: named.operation.summary,
      markdown: writeOperation(document, named, language),
    })),
  ];
}

function writeIndex(document: ApiDocument, language: GuideLanguage): string {
  const words = WORDS[language];
  const parts = document.tags.map(({ name, description }) => {
    const rows = listOperations(document, name).map(({ method, path, operation }) => [
      `[${prose(operation.summary)}](/docs/${language}/${REFERENCE}/${operation.operationId})`,
      `\`${method} ${path}\``,
    ]);
    return `## ${name}\n\n${prose(description)}\n\n${table([words.operation, words.request], rows)}`;
  });
  const headers = headerRows(document, headersOfAll(document), words);
  return `# ${words.reference}

${words.referenceLead.replace("openapi.json", "[openapi.json](/openapi.json)")} [${words.tryIt}](/docs/${language}/try).

${parts.join("\n\n")}

## ${words.headers}

${prose(words.headersLead)}

${fieldTable(headers, words)}
`;
}

function writeOperation(document: ApiDocument, named: NamedOperation, language: GuideLanguage): string {
  const words = WORDS[language];
  const { operationId, summary, description = "", parameters = [], requestBody, responses } = named.operation;
  const scope = named.operation["x-scope"];
  // The last paragraph names the scope again.
  const paragraphs = description.split("\n\n").slice(0, scope === undefined ? undefined : -1);
  const taken = parameters.map(({ name, in: place, required, description: meaning = "", schema = {} }) =>
    fieldRow(
      name,
      `${typeOf(schema)}, ${words.where[place] ?? place}`,
      meaning + usual(schema, words),
      required ? words.required : "",
    ),
  );
  const body = requestBody?.content["application/json"]?.schema;
  const parts = [
    `# ${summary}`,
    `\`${named.method} ${named.path}\`${scope === undefined ? "" : ` · ${words.scope} \`${scope}\``}`,
    ...paragraphs.map(prose),
    ...(taken.length === 0 ? [] : [`## ${words.takes}`, fieldTable(taken, words)]),
    ...(body === undefined
      ? []
      : [`## ${words.body}`, fieldTable(fieldsOf(document, body, words, "asked"), words)]),
    ...answersOf(document, responses, words, language),
    `## ${words.example}`,
    fenced("sh", curlOf(named)),
    ...Object.entries(responses).flatMap(([status, { content }]) => {
      const answer = content?.["application/json"]?.example;
      return status.startsWith("2") && answer !== undefined ? [fenced("json", pretty(answer))] : [];
    }),
    `[${words.trial.title}](/docs/${language}/try#${operationId})`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** A request with the operation's examples, for a shell that has the key in its environment. */
function curlOf({ method, path, operation }: NamedOperation): string {
  const { parameters = [], requestBody } = operation;
  const given = parameters.filter(({ required, example }) => required && example !== undefined);
  const filled = given
    .filter((parameter) => parameter.in === "path")
    .reduce((address, { name, example }) => address.replace(`{${name}}`, String(example)), path);
  const query = given
    .filter((parameter) => parameter.in === "query")
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join("&");
  const address = `${path.startsWith("/") ? EXAMPLE_ORIGIN : ""}${filled}${query === "" ? "" : `?${query}`}`;
  const body = requestBody?.content["application/json"]?.example;
  const isUnusual = method !== (body === undefined ? "GET" : "POST");
  const lines = [
    `curl -sS${isUnusual ? ` -X ${method}` : ""} ${quoted(address)}`,
    ...(operation["x-scope"] === undefined ? [] : ['-H "Authorization: Bearer $BENDRE_KEY"']),
    ...given
      .filter((parameter) => parameter.in === "header")
      .map(({ name, example }) => `-H ${quoted(`${name}: ${String(example)}`)}`),
    ...(body === undefined
      ? []
      : [`-H ${quoted("Content-Type: application/json")}`, `-d ${quoted(pretty(body))}`]),
  ];
  return lines.join(" \\\n  ");
}

/** What a shell takes to the letter. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

function answersOf(
  document: ApiDocument,
  responses: ApiOperation["responses"],
  words: SiteTexts,
  language: GuideLanguage,
): string[] {
  const entries = Object.entries(responses);
  const errors = entries.filter(([status]) => !status.startsWith("2"));
  const shown = entries
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([status, { description = "", content, headers = {} }]) => {
      const schema = content?.["application/json"]?.schema;
      return [
        `## ${words.answers} ${status}`,
        prose(description),
        schema === undefined ? "" : fieldTable(fieldsOf(document, schema, words, "answered"), words),
        fieldTable(headerRows(document, headersBeside(document, headers), words), words),
      ];
    });
  if (errors.length === 0) return shown;
  const rows = errors.map(([status, { description = "", headers = {} }]) => {
    const codes = description.split(/,\s*/).map((code) => {
      const isCode = /^[A-Z0-9_]+$/.test(code);
      const anchor = code.toLowerCase().replaceAll("_", "-");
      return isCode ? `[\`${code}\`](/docs/${language}/errors#${anchor})` : prose(code);
    });
    const after = "Retry-After" in headers ? " · `Retry-After`" : "";
    return `- ${status}${words.colon} ${codes.join(", ")}${after}`;
  });
  return [...shown, `## ${words.errors}`, rows.join("\n")];
}

/**
 * The fields of an object; nested ones are named behind what holds them: `recipients[].msisdn`. In requests required fields are
 * marked, in answers optional ones.
 */
function fieldsOf(
  document: ApiDocument,
  schema: Schema,
  words: SiteTexts,
  side: "asked" | "answered",
): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const marks = side === "asked" ? { there: words.required, free: "" } : { there: "", free: words.sometimes };
  const walk = (given: Schema, before: string, depth: number): void => {
    const object = objectIn(document, given);
    if (object.items) {
      walk(object.items, `${before.replace(/\.$/, "")}[].`, depth);
      return;
    }
    for (const [name, field] of Object.entries(object.properties ?? {})) {
      const known = resolved(document, field);
      const isRequired = object.required?.includes(name) ?? false;
      const meaning = (field.description ?? known.description ?? "") + usual(field, words);
      const mark = isRequired ? marks.there : marks.free;
      // A container without a description of its own needs no row: its fields carry its name.
      const isBare = meaning === "" && objectIn(document, known).properties !== undefined;
      if (!isBare) rows.push(fieldRow(before + name, typeOf(known, document), meaning, mark));
      if (depth < 4) walk(known, `${before}${name}.`, depth + 1);
    }
  };
  walk(schema, "", 0);
  return rows;
}

/** The schema that has the fields: itself, or for a nullable one its variant that is not null. */
function objectIn(document: ApiDocument, schema: Schema): Schema {
  const known = resolved(document, schema);
  const kinds = (known.anyOf ?? []).map((one) => resolved(document, one));
  return kinds.find(({ properties, items }) => properties ?? items) ?? known;
}

function resolved(document: ApiDocument, schema: Schema): Schema {
  const name = schema.$ref?.replace("#/components/schemas/", "");
  return name === undefined ? schema : (document.components.schemas[name] ?? schema);
}

function typeOf(schema: Schema, document?: ApiDocument): string {
  const { type, enum: values, anyOf, const: only, format, items } = schema;
  if (only !== undefined) return `\`${String(only)}\``;
  if (values) return values.map((value) => `\`${String(value)}\``).join(", ");
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one, document)))].join(", ");
  if (items) return listType(items, document) + bounds(schema.minItems, schema.maxItems);
  if (schema.$ref !== undefined && document) return typeOf(resolved(document, schema), document);
  const range =
    type === "string" ? bounds(schema.minLength, schema.maxLength) : bounds(schema.minimum, schema.maximum);
  return `${format ?? (typeof type === "string" ? type : (type ?? []).join(", "))}${range}`;
}

function listType(items: Schema, document?: ApiDocument): string {
  const one = document ? resolved(document, items) : items;
  if (one.properties) return "object[]";
  return one.enum ? `array: ${typeOf(one)}` : `${typeOf(one)}[]`;
}

function headerRows(
  document: ApiDocument,
  names: readonly string[],
  words: SiteTexts,
): readonly (readonly string[])[] {
  return names.map((name) => {
    const { description = "", schema = {} } = document.components.headers?.[name] ?? {};
    return fieldRow(name, `${typeOf(schema)}, ${words.where.header}`, description, "");
  });
}

/** The default of a field that is left out, in words. */
const usual = ({ default: value }: Schema, words: SiteTexts): string =>
  value === undefined || value === null ? "" : ` ${words.usually({ value: `\`${String(value)}\`` })}.`;

function bounds(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return least === 0 ? "" : `, ≥ ${least}`;
  return least === most ? `, ${most}` : `, ${least ?? 0}–${most}`;
}

const fieldRow = (name: string, type: string, meaning: string, mark: string): string[] => [
  `\`${name}\``,
  type,
  `${mark === "" ? "" : `**${mark}**. `}${prose(meaning)}`,
];

/** Nothing where there are no fields. */
const fieldTable = (rows: readonly (readonly string[])[], { name, type, meaning }: SiteTexts): string =>
  rows.length === 0 ? "" : table([name, type, meaning], rows);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A description as Markdown: code and links are meant, nothing else is. An underscore inside of a word means nothing in Markdown. */
const prose = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, place) =>
      place % 2 === 1 ? part : part.replaceAll(/[<*\\]|(?<!\w)_|_(?!\w)/g, "\\$&").replaceAll("\n", " "),
    )
    .join("");

// Where the reference shows headers of answers: those of every answer once, others with their answers.

/** Every header that any answer has, but for those shown with their operation. */
function headersOfAll(document: ApiDocument): string[] {
  const everywhere = usualHeaders(document);
  const ofErrors = document.tags
    .flatMap(({ name }) => listOperations(document, name))
    .flatMap(({ operation }) => Object.entries(operation.responses))
    .filter(([status]) => !status.startsWith("2"))
    .flatMap(([, { headers = {} }]) => Object.keys(headers));
  const shown = new Set([...everywhere, ...ofErrors]);
  return Object.keys(document.components.headers ?? {}).filter((name) => shown.has(name));
}

/** The headers of one answer that not every one has. */
function headersBeside(document: ApiDocument, headers: NonNullable<ApiResponse["headers"]>): string[] {
  const everywhere = usualHeaders(document);
  return Object.keys(headers).filter((name) => !everywhere.has(name));
}

/** The headers of every success of operations that require a key. */
function usualHeaders(document: ApiDocument): ReadonlySet<string> {
  const lists = document.tags
    .flatMap(({ name }) => listOperations(document, name))
    .filter(({ operation }) => operation["x-scope"] !== undefined)
    .flatMap(({ operation }) => Object.entries(operation.responses))
    .filter(([status]) => status.startsWith("2"))
    .map(([, { headers = {} }]) => new Set(Object.keys(headers)));
  const [first = new Set<string>(), ...others] = lists;
  return others.reduce((kept, one) => kept.intersection(one), first);
}
