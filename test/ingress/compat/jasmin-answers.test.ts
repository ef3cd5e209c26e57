/** What Jasmin's own tests and its documentation say that it answers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Rig, rig } from "./rig.ts";

let it: Rig;
let asked = 0;
beforeAll(async () => {
  it = await rig();
  await it.stage.clock.advance(2000);
});
afterAll(() => it.close());

type Args = Readonly<Record<string, string>>;
const login = () => ({ username: it.login.user, password: it.login.password });

async function post(path: string, args: Args): Promise<readonly [number, string]> {
  const response = await fetch(`${it.stage.url()}${path}`, {
    method: "POST",
    body: new URLSearchParams(args),
  });
  await it.stage.clock.advance(6001);
  return [response.status, await response.text()];
}

const send = (args: Args) => {
  asked += 1;
  return post("/send", { ...login(), to: "70000001", content: `any content ${asked}`, ...args });
};

type Pairs = readonly (readonly [name: string, value: string])[];

const TAKEN: Pairs = [
  ...["0", "1", "2", "3"].map((value) => ["priority", value] as const),
  ...["0", "1", "2", "3", "4000"].map((value) => ["validity-period", value] as const),
  ...[
    "http://a.example/receipt",
    "https://a.example:99/receipt.html",
    "http://a.example",
    "http://a.example:99/",
  ].map((value) => ["dlr-url", value] as const),
  ...["1", "1,702", "a-B,9"].map((value) => ["tags", value] as const),
  ["sdt", "000000000100000R"],
  ["dlr", "no"],
  ["dlr", "yes"],
];

const REFUSED: Pairs = [
  ...["-1", "a", "44", "4"].map((value) => ["priority", value] as const),
  ...["-1", "a", "1.0"].map((value) => ["validity-period", value] as const),
  ...["ftp://127.0.0.1/receipt", "smpp://127.0.0.1/receipt", "127.0.0.1:99", "a.example"].map(
    (value) => ["dlr-url", value] as const,
  ),
  ...["", "000000000100000", "00", "00+", "00R", "0000000001000000R", "00000000100000R"].map(
    (value) => ["sdt", value] as const,
  ),
  ["tags", "%"],
  ["dlr", "maybe"],
  ["dlr-level", "4"],
  ["dlr-method", "PUT"],
];

test.each(TAKEN)("%s may be %s", async (name, value) => {
  expect(await send({ [name]: value })).toEqual([200, expect.stringMatching(/^Success "[0-9A-Z]{26}"$/)]);
});

test.each(REFUSED)("%s may not be %s", async (name, value) => {
  expect(await send({ [name]: value })).toEqual([
    400,
    `Error "Argument [${name}] has an invalid value: [${value}]."`,
  ]);
});

test("what is missing is named, of nothing at all too", async () => {
  expect(await post("/send", {})).toEqual([400, 'Error "Mandatory argument [to] is not found."']);
  const [status, words] = await post("/send", { username: "faso", to: "70000001", content: "x" });
  expect([status, words]).toEqual([400, 'Error "Mandatory argument [password] is not found."']);
  expect(await post("/rate", { username: "faso", passwd: "x", to: "1" })).toEqual([
    ...[400, '"Mandatory argument [password] is not found."'],
  ]);
  expect(await post("/balance", {})).toEqual([
    ...[400, '"Mandatory arguments not found, please refer to the HTTPAPI specifications."'],
  ]);
  expect(await send({ "hex-content": "00" })).toEqual([
    ...[400, 'Error "content and hex-content cannot be used both in same request."'],
  ]);
});

test("rate and balance are asked by GET and by POST", async () => {
  const rate = { ...login(), to: "70000001", content: "A".repeat(200) };
  const of200 = [200, '{"unit_rate":15,"submit_sm_count":2}'];
  expect(await post("/rate", rate)).toEqual(of200);
  expect(Object.values(await it.get("/rate", rate))).toEqual(of200);
  const shown = await post("/balance", login());
  expect(Object.values(await it.get("/balance", login()))).toEqual([...shown]);
  expect(await post("/rate", { ...rate, password: "wrong" })).toEqual([
    ...[403, '"Authentication failure for username:faso"'],
  ]);
});

test("JSON with parameters of the operator is taken, and refused like a form", async () => {
  const json = async (more: object) => {
    const response = await fetch(`${it.stage.url()}/send`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        ...login(),
        to: "70000001",
        content: "of JSON",
        priority: 1,
        custom_tlvs: [[0x3000, null, "COctetString", "test1234"]],
        ...more,
      }),
    });
    return [response.status, (await response.text()).slice(0, 7)];
  };
  expect(await json({})).toEqual([200, "Success"]);
  expect(await json({ password: "incorrec" })).toEqual([403, 'Error "']);
});

test("the same text for another day is a text of its own, however its place writes the instant", async () => {
  const ids = async (...times: readonly string[]) => {
    const said: string[] = [];
    for (const sdt of times) {
      const more: Record<string, string> = sdt === "" ? {} : { sdt };
      const [status, text] = await send({ content: "Rendez-vous", ...more });
      expect([sdt, status]).toEqual([sdt, 200]);
      said.push(text);
    }
    return said;
  };
  const said = await ids("", "000002000000000R", "260310090000000+", "260310100000004+", "000002000000000R");
  expect(new Set(said).size).toBe(3);
  expect([said[3], said[4]]).toEqual([said[2], said[1]]);
});

test("a text for later waits, and one for a moment that is past leaves now", async () => {
  const at = async (sdt: string) => {
    const [status] = await send({ sdt });
    expect(status).toBe(200);
    const { batches } = (await it.stage.admin("batch list", {
      ACCOUNT: it.client.accountId,
      limit: "1",
    })) as {
      batches: readonly { scheduled_at: string | null }[];
    };
    return batches[0]?.scheduled_at ?? null;
  };
  expect(await at("000000010000000R")).not.toBeNull();
  expect(await at("010101000000000+")).toBeNull();
  const far = await send({ sdt: "050000000000000R" });
  expect(far).toEqual([
    ...[400, 'Error "Value filter failed for user [faso] (schedule_delivery_time filter mismatch)."'],
  ]);
});
