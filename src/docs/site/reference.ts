/** The reference (the OpenAPI document as a page to read), and the page where operations are tried. */
import { type GuideLanguage, type SiteTexts, WORDS } from "./language.ts";
import { ASSETS, toAssetUrl } from "./layout.ts";
import { escaped, type RenderedPage, type Section, toAnchor } from "./markdown.ts";

/** The page of an OpenAPI document (JSON text) in the same language: a section for each tag, and in it one for each operation. */
export function renderReferencePage(openApi: string, language: GuideLanguage): RenderedPage {
  const words = WORDS[language];
  const document = JSON.parse(openApi) as ApiDocument;
  const sections: Section[] = [{ anchor: "", heading: words.reference, depth: 1, text: words.referenceLead }];
  const parts = document.tags.map(({ name, description }) => {
    const anchor = toAnchor(name);
    sections.push({ anchor, heading: name, depth: 2, text: description });
    const operations = listOperations(document, name).map((named) => {
      const { operationId, summary, description: text = "" } = named.operation;
      const html = operationOf(document, named, language);
      const rows = [...html.matchAll(/<tr><td>.*?<\/tr>/g)].map(([cells]) => wordsOf(cells));
      const details = [...new Set(rows)].join("\n");
      sections.push({
        anchor: operationId,
        heading: summary,
        depth: 3,
        text: `${named.path} ${text}`,
        details,
      });
      return html;
    });
    return `<h2 id="${anchor}">${escaped(name)}</h2>\n<p>${prose(description)}</p>\n${operations.join("\n")}`;
  });
  const { headers: heading, headersLead } = words;
  const anchor = toAnchor(heading);
  sections.push({ anchor, heading, depth: 2, text: headersLead });
  const headers = `<h2 id="${anchor}">${heading}</h2>\n<p>${prose(headersLead)}</p>\n${table(headerRows(document, headersOfAll(document), words), words)}\n`;
  const lead = `<h1>${words.reference}</h1>
<p>${escaped(words.referenceLead).replace("openapi.json", '<a href="/openapi.json">openapi.json</a>')} <a href="/docs/${language}/try">${words.tryIt}</a>.</p>\n`;
  return {
    title: words.reference,
    lead: words.referenceLead,
    html: lead + parts.join("\n") + headers,
    sections,
  };
}

function operationOf(
  document: ApiDocument,
  { method, path, operation }: Named,
  language: GuideLanguage,
): string {
  const words = WORDS[language];
  const { operationId, summary, description = "", parameters = [], requestBody, responses } = operation;
  const scope = operation["x-scope"];
  const rows = parameters.map(({ name, in: place, required, description: meaning = "", schema = {} }) =>
    row(
      name,
      `${typeOf(schema)}, ${words.where[place] ?? place}`,
      meaning + usual(schema, words),
      required ? words.required : "",
      words,
    ),
  );
  const body = requestBody?.content["application/json"];
  const shown = [
    `<h3 id="${operationId}"><a class="anchor" href="#${operationId}">${escaped(summary)}</a></h3>`,
    `<p><code><span class="method">${method}</span> ${escaped(path)}</code>${scope ? ` · ${words.scope} <code>${scope}</code>` : ""}</p>`,
    // The last paragraph names the scope again.
    ...paragraphs(description).slice(0, scope ? -1 : undefined),
    ...(rows.length > 0 ? [`<h4>${words.takes}</h4>`, table(rows, words)] : []),
    ...(body?.schema ? [`<h4>${words.body}</h4>`, fieldsOf(document, body.schema, words, "asked")] : []),
    ...(body?.example === undefined ? [] : [example(body.example)]),
    ...answersOf(document, responses, language),
  ];
  return `<section>\n${shown.join("\n")}\n</section>`;
}

function answersOf(
  document: ApiDocument,
  responses: ApiOperation["responses"],
  language: GuideLanguage,
): string[] {
  const words = WORDS[language];
  const entries = Object.entries(responses);
  const good = entries.filter(([status]) => status.startsWith("2"));
  const errors = entries.filter(([status]) => !status.startsWith("2"));
  const shown = good.flatMap(([status, { description = "", content, headers = {} }]) => {
    const json = content?.["application/json"];
    const own = headersBeside(document, headers);
    return [
      `<h4>${words.answers} ${status}</h4>`,
      `<p>${prose(description)}</p>`,
      ...(json?.schema ? [fieldsOf(document, json.schema, words, "answered")] : []),
      ...(own.length === 0 ? [] : [table(headerRows(document, own, words), words)]),
      ...(json?.example === undefined ? [] : [example(json.example)]),
    ];
  });
  if (errors.length === 0) return shown;
  const rows = errors.map(([status, { description = "", headers = {} }]) => {
    const codes = description.split(/,\s*/).map((code) => {
      const isCode = /^[A-Z0-9_]+$/.test(code);
      return isCode
        ? `<a href="/docs/${language}/errors#${code.toLowerCase().replaceAll("_", "-")}"><code>${code}</code></a>`
        : prose(code);
    });
    const after = "Retry-After" in headers ? ` · <code>Retry-After</code>` : "";
    return `<li>${status}${words.colon} ${codes.join(", ")}${after}</li>`;
  });
  return [...shown, `<h4>${words.errors}</h4>`, `<ul>${rows.join("\n")}</ul>`];
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
): string {
  const rows: string[] = [];
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
      if (!isBare) rows.push(row(before + name, typeOf(known, document), meaning, mark, words));
      if (depth < 4) walk(known, `${before}${name}.`, depth + 1);
    }
  };
  walk(schema, "", 0);
  return rows.length === 0 ? "" : table(rows, words);
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
  if (only !== undefined) return `<code>${escaped(String(only))}</code>`;
  if (values) return values.map((value) => `<code>${escaped(String(value))}</code>`).join(", ");
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one, document)))].join(", ");
  if (items) return listOf(items, document) + bounds(schema.minItems, schema.maxItems);
  if (schema.$ref !== undefined && document) return typeOf(resolved(document, schema), document);
  const range =
    type === "string" ? bounds(schema.minLength, schema.maxLength) : bounds(schema.minimum, schema.maximum);
  return escaped(`${format ?? (typeof type === "string" ? type : (type ?? []).join(", "))}`) + range;
}

function listOf(items: Schema, document?: ApiDocument): string {
  const one = document ? resolved(document, items) : items;
  if (one.properties) return "object[]";
  return one.enum ? `array: ${typeOf(one)}` : `${typeOf(one)}[]`;
}

function headerRows(document: ApiDocument, names: readonly string[], words: SiteTexts): string[] {
  return names.map((name) => {
    const { description = "", schema = {} } = document.components.headers?.[name] ?? {};
    return row(name, `${typeOf(schema)}, ${words.where.header}`, description, "", words);
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

/** A row of the table. On a phone it is a block without the column heads, so each cell brings its own. */
const row = (name: string, type: string, meaning: string, mark: string, words: SiteTexts): string => {
  const said = `${mark === "" ? "" : `<strong>${mark}</strong>. `}${prose(meaning)}`;
  return `<tr><td><code>${breakable(name)}</code></td><td data-head="${words.type}">${type}</td><td data-head="${words.meaning}">${said}</td></tr>`;
};

/** The words of cells, without their markup. */
const wordsOf = (cells: string): string =>
  cells
    .replaceAll("<wbr>", "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll(/ +/g, " ")
    .trim();

/** A long name may break behind each of its parts. */
const breakable = (name: string): string => escaped(name).replaceAll(/(\.|_)(?=\w)/g, "$1<wbr>");

const table = (rows: readonly string[], { name, type, meaning }: SiteTexts): string =>
  `<div class="table fields" tabindex="0"><table><thead><tr><th>${name}</th><th>${type}</th><th>${meaning}</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>`;

const example = (value: unknown): string =>
  `<pre tabindex="0"><code>${escaped(JSON.stringify(value, null, 2))}</code></pre>`;

const paragraphs = (text: string): string[] =>
  text
    .split("\n\n")
    .filter(Boolean)
    .map((paragraph) => `<p>${prose(paragraph)}</p>`);

/** Renders the markup that descriptions use: code and links. */
const prose = (text: string): string =>
  escaped(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\((\/[^)]*)\)/g, '<a href="$2">$1</a>');

// Where the reference shows headers of answers: those of every answer once, others with their answers.

/** Every header that any answer has, but for those shown with their operation. */
function headersOfAll(document: ApiDocument): string[] {
  const usual = usualHeaders(document);
  const ofErrors = document.tags
    .flatMap(({ name }) => listOperations(document, name))
    .flatMap(({ operation }) => Object.entries(operation.responses))
    .filter(([status]) => !status.startsWith("2"))
    .flatMap(([, { headers = {} }]) => Object.keys(headers));
  const shown = new Set([...usual, ...ofErrors]);
  return Object.keys(document.components.headers ?? {}).filter((name) => shown.has(name));
}

/** The headers of one answer that not every one has. */
function headersBeside(document: ApiDocument, headers: NonNullable<ApiResponse["headers"]>): string[] {
  const usual = usualHeaders(document);
  return Object.keys(headers).filter((name) => !usual.has(name));
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

/** The parts of an OpenAPI document that the pages read. */
type Schema = {
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

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema?: Schema;
};

type ApiOperation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly "x-scope"?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse>>;
};

type ApiResponse = {
  readonly description?: string;
  /** Each as a reference to one of the components. */
  readonly headers?: Readonly<Record<string, Schema>>;
  readonly content?: Content;
};

type Header = { readonly description?: string; readonly schema?: Schema };

type ApiDocument = {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers?: Readonly<Record<string, Header>>;
  };
};

type Named = {
  readonly method: string;
  /** From the address of the appliance on, or of `public_url`. */
  readonly path: string;
  readonly operation: ApiOperation;
};

/** The operations under a tag, in the order of the document. */
function listOperations({ paths, servers }: ApiDocument, tag: string): Named[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!operation.tags?.includes(tag)) return [];
      const own = methods.servers !== undefined;
      return [{ method: method.toUpperCase(), path: own ? path : (servers[0]?.url ?? "") + path, operation }];
    }),
  );
}

// The try-it page: a form for each operation, which `try.txt` sends to the appliance that served it.

/** The sender that every test key may use, in place of the one in the examples. */
const TEST_SENDER = "TEST";

/** A form for every operation of an OpenAPI document (JSON text) in the same language, filled in with its example. */
export function renderTryItPage(openApi: string, language: GuideLanguage): RenderedPage {
  const words = WORDS[language];
  const document = JSON.parse(openApi) as ApiDocument;
  const parts = document.tags.map(({ name }) => {
    const forms = listOperations(document, name).map((named) => formOf(named, language));
    return `<h2>${escaped(name)}</h2>\n${forms.join("\n")}`;
  });
  const { title, lead, key, noScript } = words.trial;
  const html = `<h1>${title}</h1>
<p>${escaped(lead)}</p>
<noscript><p>${noScript}</p></noscript>
<p class="field"><label for="key">${key}</label><input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="bdr_test_…"></p>
${parts.join("\n")}
<script src="${toAssetUrl(ASSETS.tryScript)}" defer></script>\n`;
  return { title, lead, html, sections: [{ anchor: "", heading: title, depth: 1, text: lead }] };
}

function formOf({ method, path, operation }: Named, language: GuideLanguage): string {
  const words = WORDS[language];
  const { operationId, summary, parameters = [], requestBody } = operation;
  const example = requestBody?.content["application/json"]?.example;
  const fields = [
    ...parameters.map((parameter) => fieldOf(operationId, parameter, words)),
    ...(requestBody === undefined ? [] : [bodyOf(operationId, example, words)]),
  ];
  return `<details class="trial" id="${operationId}"><summary><code><span class="method">${method}</span> ${escaped(path)}</code> ${escaped(summary)}</summary>
<form data-method="${method}" data-path="${escaped(path)}" data-broken="${words.trial.broken}">
${fields.join("\n")}
<p><button disabled>${words.trial.send}</button> <a href="/docs/${language}/reference#${operationId}">${words.trial.fields}</a></p>
<div class="answer" role="status"></div>
</form></details>`;
}

function fieldOf(
  operationId: string,
  { name, in: place, required = false, example }: Parameter,
  words: SiteTexts,
): string {
  const id = `${operationId}-${name}`;
  // An example's id belongs to another account: it is shown as a hint, and the script fills one in once an answer told it.
  const given = example === undefined ? "" : escaped(String(example));
  const value = required && place !== "path" ? given : "";
  const note = required ? `, ${words.required}` : "";
  return `<p class="field"><label for="${id}"><code>${escaped(name)}</code> <small>${words.where[place] ?? place}${note}</small></label><input id="${id}" name="${escaped(name)}" data-in="${place}" value="${value}" placeholder="${given}" autocomplete="off" spellcheck="false"${required ? " required" : ""}></p>`;
}

function bodyOf(operationId: string, example: unknown, words: SiteTexts): string {
  const id = `${operationId}-body`;
  const shown = isSubmission(example) ? { ...example, sender: TEST_SENDER } : example;
  const text = shown === undefined ? "" : JSON.stringify(shown, null, 2);
  const rows = Math.min(20, text.split("\n").length + 1);
  return `<p class="field"><label for="${id}">${words.body} <small>JSON</small></label><textarea id="${id}" name="body" rows="${rows}" spellcheck="false">${escaped(text)}</textarea></p>`;
}

const isSubmission = (example: unknown): example is object =>
  typeof example === "object" && example !== null && "sender" in example;
