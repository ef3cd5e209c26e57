import { deathThatUndid, unwellTimes } from "../durable.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { type WirePdu, type Wires, wiresOf } from "../wires.ts";

const manners = finder(
  "link-manners",
  "A link begins with a bind, nothing is submitted before it is accepted or after an unbind, and requests have sequence numbers of their own.",
);
const unanswered = finder(
  "deliver-answered",
  "Every deliver_sm is answered ROK once what it says is durable, and an enquire_link is answered.",
);

/** The appliance keeps to the protocol on every link. */
export function linkManners(history: History): readonly Finding[] {
  const wires = wiresOf(history);
  return [
    ...[...wires.byLink].flatMap(([link, pdus]) => mannersOn(link, pdus)),
    ...deliversOf(history, wires),
    ...[...wires.byLink.values()].flatMap((pdus) => enquiriesOf(history, wires, pdus)),
  ];
}

function mannersOn(link: number, pdus: readonly WirePdu[]): readonly Finding[] {
  const findings: Finding[] = [];
  const tell = (seen: WirePdu, what: string) =>
    findings.push(
      manners(seen.applianceAtMs ?? seen.centreAtMs ?? 0, `link ${link} to ${seen.centre}: ${what}`),
    );
  let isBound = false;
  let isLeaving = false;
  let last = 0;
  let isFirst = true;
  for (const seen of pdus) {
    const { pdu, from } = seen;
    if (from === "centre") {
      if (pdu.kind === "response" && pdu.to.startsWith("bind_") && pdu.status === 0) isBound = true;
      continue;
    }
    if (pdu.kind === "other") tell(seen, `an unreadable PDU, 0x${pdu.commandId.toString(16)}: ${pdu.why}`);
    if (isFirst && pdu.kind !== "bind") tell(seen, `it begins with ${pdu.kind}`);
    isFirst = false;
    if (pdu.kind === "submit_sm" && !isBound)
      tell(seen, `submit_sm ${pdu.sequence} before its bind was accepted`);
    if (pdu.kind === "submit_sm" && isLeaving) tell(seen, `submit_sm ${pdu.sequence} after its unbind`);
    if (pdu.kind === "unbind") isLeaving = true;
    if (!isRequest(seen)) continue;
    if (pdu.sequence <= last || pdu.sequence > 0x7fffffff)
      tell(seen, `sequence number ${pdu.sequence} after ${last}`);
    last = pdu.sequence;
  }
  return findings;
}

function isRequest({ pdu }: WirePdu): boolean {
  return (
    pdu.kind === "bind" || pdu.kind === "submit_sm" || pdu.kind === "enquire_link" || pdu.kind === "unbind"
  );
}

/** So long may an answer take where nothing stands in its way. */
const ANSWER_MS = 60_000;

function deliversOf(history: History, wires: Wires): readonly Finding[] {
  const unwell = unwellTimes(history);
  return wires.delivers.flatMap(({ pdu, centre, link, writtenAtMs, answer }) => {
    const name = `deliver_sm ${pdu.pdu.sequence} of ${at(writtenAtMs)} on link ${link} of ${centre}`;
    if (answer === null)
      return isDue(history, wires, pdu) ? [unanswered(writtenAtMs, `${name} was never answered`)] : [];
    if (answer.status === 0) return [];
    const life = wires.lifeAt(answer.atMs);
    const isEnding = life !== null && (life.stoppingAtMs ?? Infinity) <= answer.atMs;
    const wasUnwell = unwell.some(
      ({ fromMs, toMs }) => fromMs <= answer.atMs && toMs + ANSWER_MS >= answer.atMs,
    );
    if (isEnding || wasUnwell || deathThatUndid(history, answer.atMs) !== null) return [];
    return [
      unanswered(
        answer.atMs,
        `${name} was answered 0x${answer.status.toString(16)}, though the disk was well`,
      ),
    ];
  });
}

function enquiriesOf(history: History, wires: Wires, pdus: readonly WirePdu[]): readonly Finding[] {
  const answered = new Set(
    pdus.flatMap(({ pdu, from }) =>
      from === "appliance" && pdu.kind === "response" && pdu.to === "enquire_link" ? [pdu.sequence] : [],
    ),
  );
  return pdus.flatMap((seen) => {
    if (seen.from !== "centre" || seen.pdu.kind !== "enquire_link" || answered.has(seen.pdu.sequence))
      return [];
    if (!isDue(history, wires, seen)) return [];
    const what = `enquire_link ${seen.pdu.sequence} on link ${seen.link} of ${seen.centre} was never answered`;
    return [unanswered(seen.centreAtMs ?? 0, what)];
  });
}

/** Whether the appliance surely had a request of the centre's, and time and a link to answer it on. */
function isDue(
  history: History,
  { links, isWatched, lifeAt }: Wires,
  { link, applianceAtMs, centreAtMs }: WirePdu,
): boolean {
  const heardAtMs = isWatched ? applianceAtMs : centreAtMs;
  if (heardAtMs === null) return false;
  const endedAtMs = links.get(link)?.closedAtMs ?? lifeAt(heardAtMs)?.endedAtMs ?? null;
  return endedAtMs === null && history.endAtMs - heardAtMs > ANSWER_MS;
}
