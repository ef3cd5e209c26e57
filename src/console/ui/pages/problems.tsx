/** Notices of the console about present alerts and troubles, each with what to do and a link to the page that helps. */
import { getOwn } from "../../../core/own-value.ts";
import type { Text } from "../../../i18n/phrase.ts";
import type { LiveAlert, LiveTrouble, StaffLive } from "../../server/live/live-view.ts";
import type { Permission } from "../../server/sign-in-contract.ts";
import { callApi } from "../api/client.ts";
import { ago } from "../format.ts";
import { AllClear, Button, ErrorBox, Section } from "../kit/kit.ts";
import { byDegree, type Degree } from "../state/degrees.ts";
import { language } from "../state/preferences.ts";
import { HOME } from "../state/router.ts";
import { may } from "../state/session.ts";
import { readMissingSetup, type Todo } from "../state/setup-checklist.ts";
import { useAction, useRequest } from "../state/use-request.ts";
import { accessNames } from "../words/access-nav.ts";
import { downAdvice } from "../words/down-advice.ts";
import { money } from "../words/money.ts";
import { places } from "../words/places.ts";
import { traffic } from "../words/traffic.ts";
import { checkWord, troubles } from "../words/troubles.ts";
import { figures, labelled, saying, words } from "../words/words.ts";
import { PublicUrlText } from "./access/public-url.tsx";
import { useCommands } from "./connect/commands.ts";

type DegreeProps = { readonly now: StaffLive; readonly degree: Degree };

/** What is wrong now and what to do about it, of one degree: alarms, and troubles that no alarm has reported yet. */
export function Wrongs({ now, degree }: DegreeProps) {
  const { start } = words.value;
  const { alarms, troubles } = byDegree(now, degree);
  if (alarms.length === 0 && troubles.length === 0) return null;
  const atMs = new Date(now.at).getTime();
  return (
    <Section title={degree === "stops" ? start.stopping : start.wrong}>
      <ul class={`alarms ${degree}`}>
        {alarms.map((alarm) => (
          <Alarm key={`${alarm.rule} ${alarm.subject}`} alarm={alarm} atMs={atMs} />
        ))}
        <Troubles now={{ troubles, names: now.names }} />
      </ul>
    </Section>
  );
}

/** Answers the page's question where nothing is wrong; what is left to be set up stands below. */
export function AllWell({ now }: { readonly now: StaffLive }) {
  const isWell = now.alarms.length === 0 && now.troubles.length === 0;
  return isWell ? <AllClear text={words.value.start.nothingWrong} /> : null;
}

/** What is left to be set up and its reader wants to be shown; null until it is known. */
type Missing = readonly Todo[] | null;

type Setup = { readonly missing: Missing; readonly reload: () => Promise<void> };

/** Reads what is left to be set up. */
export function useMissingSetup(): Setup {
  const { value, reload } = useRequest("to set up", readMissingSetup);
  return { missing: value, reload };
}

const PLACES = { FIRST_STEPS: "first", BACKUP: "backups", ALARMS: "alarms" } as const;

/** What is to be set up before clients come, each with where that is done: nothing goes wrong without it today. */
export function SetupList({ missing, reload }: Setup) {
  const { problem, run } = useAction();
  const { setUp } = troubles.value;
  const dismiss = async (todo: Todo): Promise<void> => {
    if ((await run(callApi("POST /me/todos/dismiss", { body: { todo } }))) !== null) await reload();
  };
  if (missing === null || missing.length === 0) return null;
  return (
    <Section title={setUp.title}>
      <ErrorBox problem={problem} />
      <ul class="todos">
        {missing.map((each) => (
          <li key={each}>
            <p class="alarm-title">{setUp.missing[each]}</p>
            <p>
              {setUp.todo[each]}{" "}
              {each !== "PUBLIC_URL" && <a href={`${HOME}/${PLACES[each]}`}>{setUp.go[each]}</a>}
            </p>
            {each === "PUBLIC_URL" && <PublicUrlText />}
            <Button
              kind="quiet"
              label={labelled(setUp.dismiss, setUp.missing[each])}
              onPress={() => dismiss(each)}
            >
              {setUp.dismiss}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

type TroublesProps = { readonly now: Pick<StaffLive, "troubles" | "names"> };

/** Troubles that no alarm has reported yet, one after the other. */
export function Troubles({ now: { troubles: all, names } }: TroublesProps) {
  return (
    <>
      {all.map((trouble) => (
        <Trouble key={keyOf(trouble)} trouble={trouble} nameOf={(code) => getOwn(names, code) ?? code} />
      ))}
    </>
  );
}

function Alarm({ alarm, atMs }: { readonly alarm: LiveAlert; readonly atMs: number }) {
  const { rule, subject, title, detail, advice, since } = alarm;
  return (
    <li>
      <p class="alarm-title">{figures.saying(title)}</p>
      <p>{figures.saying(detail)}</p>
      <Advice text={troubles.value.advice[rule] ?? advice} />
      <RulePlace rule={rule} subject={subject} />
      <p class="note">{ago(language.value, since, atMs)}</p>
    </li>
  );
}

type NameOf = (code: string) => string;

function Trouble({ trouble, nameOf }: { readonly trouble: LiveTrouble; readonly nameOf: NameOf }) {
  const words = troubles.value;
  switch (trouble.kind) {
    case "CHECK":
      return (
        <li>
          <p class="alarm-title">{checkWord(trouble.check)}</p>
          <p>{saying(trouble.found)}</p>
          {trouble.action !== null && (
            <Advice text={words.checkAdvice[trouble.check] ?? saying(trouble.action)} />
          )}
          <CheckPlace check={trouble.check} />
        </li>
      );
    case "PUT_OFF":
    case "STRAY": {
      const { kind, operator, messages } = trouble;
      return (
        <li>
          <p class="alarm-title">
            {kind === "STRAY"
              ? words.stray(messages, { who: operator })
              : words.putOff(messages, { who: nameOf(operator) })}
          </p>
          <Advice text={kind === "STRAY" ? words.strayTodo : words.putOffTodo} />
          {kind === "STRAY" && may("appliance.read") && <StrayCommands operator={operator} />}
          <OperatorPlace kind={kind} operator={operator} />
        </li>
      );
    }
    case "PAUSED":
    case "DOWN":
    case "REFUSING":
      return <OperatorTrouble trouble={trouble} nameOf={nameOf} />;
  }
}

/** Orphaned messages of an operator: only the command line hands them over, or gives them up. */
function StrayCommands({ operator }: { readonly operator: string }) {
  const commands = useCommands();
  if (commands === null) return null;
  return (
    <p>
      <code class="command">{commands.typed(`operator rename ${operator} NEW`)}</code>
      <code class="command">{commands.typed(`operator retire ${operator}`)}</code>
    </p>
  );
}

type OfOperator = Extract<LiveTrouble, { readonly connection: number | null }>;

/** The cause: a typed reason, an error, or the operator's answer. */
function saidOf(trouble: OfOperator): string | Text | null {
  switch (trouble.kind) {
    case "PAUSED":
      return trouble.why;
    case "REFUSING":
      return labelled(trouble.code, trouble.answer);
    case "DOWN":
      return trouble.why && saying(trouble.why);
  }
}

function OperatorTrouble({ trouble, nameOf }: { readonly trouble: OfOperator; readonly nameOf: NameOf }) {
  const { kind, operator, connection, next_attempt_at: nextAt } = trouble;
  const why = saidOf(trouble);
  const cause = trouble.kind === "DOWN" ? trouble.why : null;
  const words = troubles.value;
  const who =
    connection === null
      ? nameOf(operator)
      : words.connection({ operator: nameOf(operator), place: connection });
  const said = {
    PAUSED: [words.paused({ who }), words.pausedTodo],
    DOWN: [words.down({ who }), downAdvice(words, cause, nextAt === null ? null : figures.clock(nextAt))],
    REFUSING: [words.refusing({ who }), words.refusingTodo],
  } as const;
  const [title, todo] = said[kind];
  return (
    <li>
      <p class="alarm-title">{title}</p>
      {why !== null && <p>{why}</p>}
      <Advice text={todo} />
      <OperatorPlace kind={kind} operator={operator} />
    </li>
  );
}

function Advice({ text }: { readonly text: string | Text }) {
  return (
    <p>
      <strong>{words.value.start.todo}</strong> {text}
    </p>
  );
}

function keyOf(trouble: LiveTrouble): string {
  if (trouble.kind === "CHECK") return trouble.check;
  return `${trouble.kind} ${trouble.operator} ${"connection" in trouble ? trouble.connection : ""}`;
}

type Place = {
  readonly path: string;
  readonly capability: Permission;
  readonly name: () => string;
};

function at(path: string, capability: Permission, name: () => string): Place {
  return { path, capability, name };
}

const OPERATORS = at("/operators", "operators.read", () => traffic.value.nav.operators);
const QUEUE = at("/queue", "queue.read", () => traffic.value.nav.queue);
const STATE = at("/state", "appliance.read", () => places.value.appliance);
const BACKUPS = at("/backups", "backups.read", () => places.value.backups);
const MONEY = at("/money", "books.read", () => money.value.nav.money);
const TEMPLATES = at("/templates", "operators.read", () => traffic.value.nav.templates);
const WEBHOOKS = at("/webhooks", "webhooks.read", () => accessNames.value.webhooks);
const ALARMS = at("/alarms", "alarms.read", () => places.value.alarms);
const REPORTS = at("/reports?by=error", "reports.read", () => places.value.reports);
const DOUBTS = at("/doubts", "doubts.read", () => traffic.value.nav.doubts);

/** Where more is about the alarms of a rule; of those about one thing it depends on the subject. */
const OF_RULES: Readonly<Record<string, Place | ((subject: string) => Place)>> = {
  link_down: OPERATORS,
  operator_down: OPERATORS,
  not_taken: OPERATORS,
  number_stopped: OPERATORS,
  throttled: OPERATORS,
  country_refused: OPERATORS,
  template_stopped: TEMPLATES,
  direct_text_stopped: TEMPLATES,
  template_moves: TEMPLATES,
  templates_unread: TEMPLATES,
  otp_waits: QUEUE,
  transactional_waits: QUEUE,
  delivered_share: REPORTS,
  route_ill: OPERATORS,
  no_route: OPERATORS,
  receipts_unmatched: DOUBTS,
  smpp_receipts: (subject) => at(`/smpp/${subject}`, "smpp.read", () => "SMPP"),
  disk: STATE,
  clock: STATE,
  certificate: STATE,
  books: MONEY,
  backup: BACKUPS,
  drill: BACKUPS,
  endpoint: (subject) => ({ ...WEBHOOKS, path: `/webhooks/${subject}` }),
  wallet_low: (subject) => at(`/accounts/${subject}`, "accounts.read", () => money.value.nav.accounts),
};

const OF_CHECKS: Readonly<Record<string, Place>> = {
  operators: OPERATORS,
  queue: QUEUE,
  books: MONEY,
  backup: BACKUPS,
  webhooks: WEBHOOKS,
  alarms: ALARMS,
};

/** A link to more about an alarm. */
export function RulePlace({ rule, subject }: { readonly rule: string; readonly subject: string }) {
  const place = getOwn(OF_RULES, rule);
  if (place === undefined) return null;
  return <LookInto place={typeof place === "function" ? place(subject) : place} />;
}

/** A link to more about a finding; everything else is on the page of all checks. */
export function CheckPlace({ check }: { readonly check: string }) {
  return <LookInto place={getOwn(OF_CHECKS, check) ?? STATE} />;
}

/** The same for an operator's connections, its waiting messages, and its messages. */
function OperatorPlace({ kind, operator }: { readonly kind: string; readonly operator: string }) {
  if (kind === "STRAY") return <LookInto place={QUEUE} />;
  if (kind !== "PUT_OFF") return <LookInto place={OPERATORS} />;
  const path = `/messages?status=QUEUED&operator=${encodeURIComponent(operator)}`;
  return <LookInto place={at(path, "messages.read", () => traffic.value.nav.messages)} />;
}

function LookInto({ place: { path, capability, name } }: { readonly place: Place }) {
  if (!may(capability)) return null;
  return (
    <p>
      <a href={`${HOME}${path}`}>{troubles.value.lookInto({ page: name() })}</a>
    </p>
  );
}
