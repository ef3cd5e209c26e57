/** A finding as a person can follow it: what was done, and everything that was seen of the things it is about, in order. */
import type { Finding } from "../auditor/finding.ts";
import { latin1, readPdu } from "../auditor/pdu.ts";
import { readReceipt } from "../auditor/receipt-text.ts";
import type { Observation } from "../observation.ts";
import type { Plan, Step } from "../plan.ts";

/** The steps of a plan, a line each. */
export function stepsInWords(plan: Plan): string[] {
  return plan.steps.map((step) => `${seconds(step.atMs)}  step ${step.index}: ${stepInWords(step)}`);
}

function stepInWords({ index: _index, atMs: _atMs, kind, ...rest }: Step): string {
  if (!("request" in rest)) return `${kind} ${JSON.stringify(rest)}`;
  const { recipients, ...request } = rest.request;
  const shown = recipients.slice(0, 3).map(({ msisdn }) => msisdn);
  return `${kind} ${JSON.stringify({ ...rest, request })} to ${recipients.length}: ${shown.join(", ")}…`;
}

/** What was seen that has to do with a finding: its ids and numbers, and whatever happened to everybody. */
export function storyOf({ about, what }: Finding, observations: readonly Observation[]): string[] {
  const numbers = what.match(/\+\d{8,15}/g) ?? [];
  const wanted = [...about, ...numbers]
    .filter((id) => id.length >= 4)
    .flatMap((id) => [id, id.replace(/^\+/, "")]);
  const requests = new Set<number>();
  const events = new Set<number>();
  const posts = new Set<number>();
  const calls = new Set<number>();
  const sequences = new Set<string>();
  return observations.flatMap((seen) => {
    const words = wordsOf(seen);
    const isAbout = wanted.some((id) => words.includes(id));
    if (seen.kind === "request" && isAbout) requests.add(seen.id);
    if (seen.kind === "event" && isAbout) events.add(seen.id);
    if (seen.kind === "post" && isAbout) posts.add(seen.id);
    if (seen.kind === "call" && isAbout) calls.add(seen.id);
    if (seen.kind === "client pdu" && isAbout)
      sequences.add(`client ${seen.link} ${readPdu(seen.octets).sequence}`);
    if (seen.kind === "pdu" && isAbout) sequences.add(`${seen.link} ${readPdu(seen.octets).sequence}`);
    const isAnswer =
      (seen.kind === "client pdu" && sequences.has(`client ${seen.link} ${readPdu(seen.octets).sequence}`)) ||
      (seen.kind === "pdu" && sequences.has(`${seen.link} ${readPdu(seen.octets).sequence}`)) ||
      ((seen.kind === "answer" || seen.kind === "no answer") && requests.has(seen.id)) ||
      ((seen.kind === "post answer" || seen.kind === "post heard") && posts.has(seen.id)) ||
      (seen.kind === "call answer" && calls.has(seen.id)) ||
      (seen.kind === "event answer" && events.has(seen.id));
    const isEverybodys = [
      "life",
      "link",
      "client link",
      "fault",
      "clock",
      "disk",
      "restored",
      "rest",
    ].includes(seen.kind);
    return isAbout || isAnswer || isEverybodys ? [`${seconds(seen.atMs)}  ${shortened(words)}`] : [];
  });
}

function wordsOf(seen: Observation): string {
  switch (seen.kind) {
    case "request":
      return `${seen.client} asks ${seen.id}: ${seen.method} ${seen.path} ${keyOf(seen.headers)}${seen.body ?? ""}`;
    case "answer":
      return `answer to ${seen.id}: ${seen.status} ${seen.body}`;
    case "no answer":
      return `no answer to ${seen.id}`;
    case "link":
      return `link ${seen.link} to ${seen.centre} is ${seen.state}${seen.why ? `: ${seen.why}` : ""}`;
    case "pdu":
      return `${seen.centre}, link ${seen.link}: ${arrow(seen)} ${pduInWords(seen.octets)}`;
    case "client link":
      return `client link ${seen.link} of ${seen.user} is ${seen.state}${seen.why ? `: ${seen.why}` : ""}`;
    case "client pdu": {
      const way = seen.from === "appliance" ? "appliance →" : "client →";
      const where = seen.from === seen.at ? way : `${way} (arrived)`;
      return `client link ${seen.link} of ${seen.user}: ${where} ${pduInWords(seen.octets)}`;
    }
    case "post":
      return `post ${seen.id} by ${seen.phone} (${seen.token}): ${seen.text} ${seen.body}`;
    case "post answer":
      return `post ${seen.id} is answered ${seen.answer} ${seen.code ?? ""} ${seen.wamid ?? "and not taken"}`;
    case "post heard":
      return `the answer to post ${seen.id} is there`;
    case "template":
      return `the template ${seen.name} is ${seen.status} ${seen.category} ${seen.quality}`;
    case "templates read":
      return `the templates are read (${seen.id}): ${seen.status}`;
    case "call":
      return `call ${seen.id}${seen.isForged ? ", forged" : ""}: ${seen.body}`;
    case "call answer":
      return `call ${seen.id} was answered ${seen.status}`;
    case "event":
      return `event ${seen.id} to ${seen.url}: ${seen.body}`;
    case "event answer":
      return `event ${seen.id} was answered: ${seen.answer}`;
    case "command":
      return `command ${seen.id}: ${seen.name} ${JSON.stringify(seen.args)}`;
    case "outcome":
      return `outcome of ${seen.id}: ${seen.ok ? JSON.stringify(seen.data) : `${seen.code} ${seen.detail}`}`;
    case "no outcome":
      return `command ${seen.id} was broken off`;
    case "life":
      return `=== life ${seen.life} ${seen.what}${seen.detail ? `: ${seen.detail}` : ""}`;
    case "settings":
      return `settings: ${JSON.stringify(seen.document)}`;
    case "clock":
      return `the wall clock is set by ${seen.byMs / 1000} s`;
    case "machine":
      return `the machine is ${seen.state}`;
    case "disk":
      return `the disk is ${seen.state}`;
    case "fault":
      return `fault: ${seen.name} ${seen.detail}`;
    case "restored":
      return `=== restored from the copy of ${seconds(seen.toMs)}`;
    case "rest":
      return "=== rest";
  }
}

function keyOf(headers: Readonly<Record<string, string>>): string {
  const key = headers["idempotency-key"];
  return key === undefined ? "" : `key ${key} `;
}

function arrow({ from, at }: Extract<Observation, { readonly kind: "pdu" }>): string {
  const way = from === "appliance" ? "appliance →" : "centre →";
  return at === "centre" ? way : `${way} (arrived)`;
}

function pduInWords(octets: Uint8Array): string {
  const pdu = readPdu(octets);
  const head = `#${pdu.sequence}`;
  switch (pdu.kind) {
    case "submit_sm":
      return `submit_sm ${head} to ${pdu.text.destination} from ${pdu.text.source}: ${latin1(pdu.text.octets)}`;
    case "deliver_sm": {
      const receipt = readReceipt(pdu.text);
      const said = receipt === null ? latin1(pdu.text.octets) : JSON.stringify(receipt);
      return `deliver_sm ${head} from ${pdu.text.source} to ${pdu.text.destination}: ${said}`;
    }
    case "response":
      return `${pdu.to}_resp ${head} status ${pdu.status} ${pdu.messageId}`;
    case "bind":
      return `${pdu.command} ${head}`;
    case "other":
      return `no PDU: ${pdu.why}`;
    case "enquire_link":
    case "unbind":
    case "generic_nack":
      return `${pdu.kind} ${head}`;
  }
}

const LONGEST = 600;

function shortened(words: string): string {
  const line = words.replace(/\p{Cc}/gu, "·");
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function seconds(atMs: number): string {
  return `${(atMs / 1000).toFixed(3).padStart(10)} s`;
}
