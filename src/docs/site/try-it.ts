/** The page where operations are tried: a form for each, which `try.txt` sends to the appliance that served it. */

import { escaped } from "./escape.ts";
import { type GuideLanguage, type SiteTexts, WORDS } from "./language.ts";
import { ASSETS, toAssetUrl } from "./layout.ts";
import type { RenderedPage } from "./markdown.ts";
import { type ApiDocument, listOperations, type NamedOperation, type Parameter } from "./openapi-document.ts";

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
  return { title, lead, html: () => html, sections: [{ anchor: "", heading: title, depth: 1, text: lead }] };
}

function formOf({ method, path, operation }: NamedOperation, language: GuideLanguage): string {
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
<p><button disabled>${words.trial.send}</button> <a href="/docs/${language}/reference/${operationId}">${words.trial.fields}</a></p>
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
