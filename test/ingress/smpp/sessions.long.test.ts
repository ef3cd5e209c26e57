import { afterEach, describe, expect, test } from "vitest";
import { bindOf, PASSWORD, type SmppRig, SYSTEM_ID, smppRig, submitOf, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

describe("a bind", () => {
  test("of the right password is answered, with our version to 3.4 and without it to 3.3", async () => {
    rig = await smppRig();
    const newer = await rig.connect();
    expect(await newer.ask(bindOf("transceiver"))).toMatchObject({
      command: "bind_transceiver_resp",
      status: 0,
      scInterfaceVersion: 0x34,
    });
    const older = await rig.connect();
    expect(await older.ask(bindOf("receiver", PASSWORD, SYSTEM_ID, 0x33))).toMatchObject({
      status: 0,
      scInterfaceVersion: null,
    });
  });

  test("that is refused says nothing of why, leaves a second later, and closes", async () => {
    rig = await smppRig({ tls: "required" });
    await rig.addUser("elsewhere", { networks: ["192.0.2.0/24"] });
    await rig.addUser("other");
    const attempts = [
      bindOf("transceiver"),
      bindOf("transceiver", "wrong", "other"),
      bindOf("transceiver", PASSWORD, "nobody"),
      bindOf("transceiver", PASSWORD, "elsewhere"),
    ];
    for (const attempt of attempts) {
      const client = await rig.connect();
      const cameMs = rig.stage.clock.steadyMs();
      const answer = await client.ask(attempt, 50);
      expect(answer).toEqual({
        command: "bind_transceiver_resp",
        sequence: 1,
        status: 0x0d,
        systemId: null,
        scInterfaceVersion: null,
      });
      expect(rig.stage.clock.steadyMs() - cameMs).toBeGreaterThanOrEqual(1_000);
      await client.until(client.isClosed);
    }
    expect(rig.status()?.refusals).toMatchObject([{ commandStatus: 0x0d, reason: "TLS_REQUIRED" }]);
  });

  test("beyond the user's number is refused while the others live, and the dead make room", async () => {
    rig = await smppRig({ maxBinds: 1 });
    const first = await rig.bind();
    const second = await rig.connect();
    expect((await second.ask(bindOf("transceiver"), 50)).status).toBe(0x0d);
    expect(first.isClosed()).toBe(false);
    first.answerWith(null);
    const third = await rig.connect();
    expect((await third.ask(bindOf("transceiver"), 50)).status).toBe(0x0d);
    await first.until(first.isClosed, 100);
    const fourth = await rig.bind();
    expect(fourth.isClosed()).toBe(false);
  });

  test("is looked at before anything is submitted, and a second one is refused", async () => {
    rig = await smppRig();
    const client = await rig.connect();
    expect(await client.ask({ command: "enquire_link" })).toMatchObject({ command: "enquire_link_resp" });
    expect(await client.submit()).toMatchObject({ status: 0x04 });
    await client.ask(bindOf("receiver"));
    expect(await client.submit()).toMatchObject({ status: 0x04 });
    expect(await client.ask(bindOf("transmitter"))).toMatchObject({ status: 0x05 });
  });

  test("is refused after ten wrong passwords from there, also with the right one, until the minute is over", async () => {
    rig = await smppRig();
    const wrong = await Promise.all(Array.from({ length: 10 }, () => rig.connect()));
    for (const client of wrong) client.send(bindOf("transceiver", "wrong"));
    const { status } = rig;
    const client = await rig.connect();
    await client.until(() => status()?.refusals.length === 10);
    expect(status()?.refusals.every(({ reason }) => reason === "WRONG_PASSWORD")).toBe(true);
    expect((await client.ask(bindOf("transceiver"), 100)).status).toBe(0x0d);
    expect(status()?.refusals[0]?.reason).toBe("TOO_MANY_WRONG_BINDS");
    await rig.stage.clock.advance(61_000);
    expect((await rig.bind()).isClosed()).toBe(false);
  });

  test("is refused for what is looked at first: wrong tries, network, TLS, state, password, number", async () => {
    rig = await smppRig({ tls: "required", networks: ["192.0.2.0/24"], maxBinds: 1 }, { tls_listen: "" });
    const refused = async (password: string) => {
      const client = await rig.connect();
      expect((await client.ask(bindOf("transceiver", password), 100)).status).toBe(0x0d);
      return rig.status()?.refusals[0]?.reason;
    };
    await rig.stage.admin("account suspend", { ACCOUNT: rig.client.accountId, reason: "unpaid" });
    expect(await refused("wrong")).toBe("NETWORK_NOT_ALLOWED");
    await rig.change({ networks: [] });
    expect(await refused("wrong")).toBe("TLS_REQUIRED");
    await rig.change({ tls: "optional" });
    expect(await refused("wrong")).toBe("ACCOUNT_SUSPENDED");
    await rig.stage.admin("account resume", { ACCOUNT: rig.client.accountId });
    await rig.bind();
    expect(await refused("wrong")).toBe("WRONG_PASSWORD");
    expect(await refused(PASSWORD)).toBe("TOO_MANY_BINDS");
    await rig.change({ networks: ["192.0.2.0/24"] });
    const other = await rig.addUser("other");
    const refusals = () => rig.stage.context().server?.smpp?.userStatus(other)?.refusals ?? [];
    const wrong = await Promise.all(Array.from({ length: 10 }, () => rig.connect()));
    for (const client of wrong) client.send(bindOf("transceiver", "wrong", "other"));
    await wrong[0]?.until(() => refusals().length === 10);
    expect(await refused(PASSWORD)).toBe("TOO_MANY_WRONG_BINDS");
  });

  test("comes from the socket's peer, whichever proxies are trusted", async () => {
    rig = await smppRig({ networks: ["127.0.0.0/8"] });
    const at = rig.stage.settings.now();
    rig.stage.write({ ...at, server: { ...at.server, trusted_proxies: ["127.0.0.1"] } });
    await rig.stage.admin("config reload");
    const octets = Buffer.from("PROXY TCP4 192.0.2.1 127.0.0.1 1 2775\r\n");
    const proxy = await rig.connect();
    proxy.octets(octets);
    await proxy.until(proxy.isClosed, 100);
    await rig.bind();
    expect(rig.status()?.sessions).toMatchObject([{ peer: expect.stringMatching(/127\.0\.0\.1/) }]);
  });
});

describe("a session", () => {
  test("is asked once it is silent, and cut when it stays so", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    await rig.stage.clock.advance(31_000);
    await client.until(() => true);
    expect(client.isClosed()).toBe(false);
    client.answerWith(null);
    await client.until(client.isClosed, 1_000);
  });

  test("that never binds is closed", async () => {
    rig = await smppRig();
    const client = await rig.connect();
    await client.until(client.isClosed, 500);
    expect(rig.stage.clock.steadyMs()).toBeGreaterThanOrEqual(10_000);
  });

  test("of a PDU without a possible length gets a generic_nack, and is closed", async () => {
    rig = await smppRig();
    for (const length of [15, 70_001]) {
      const client = await rig.bind();
      const octets = Buffer.alloc(16);
      octets.writeUInt32BE(length, 0);
      client.octets(octets);
      await client.until(client.isClosed, 10);
      expect(client.received.at(-1)).toMatchObject({ command: "generic_nack", status: 0x02 });
    }
  });

  test("is unbound when its user may no longer be there", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    await rig.change({ networks: ["192.0.2.0/24"] });
    await client.until(() => client.received.some(({ command }) => command === "unbind"));
    await client.until(client.isClosed, 100);
  });

  test("is answered all that came before its unbind, and then the unbind", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const numbers = ["22670000001", "22670000002", "22670000003"];
    for (const destinationAddr of numbers) client.send(submitOf({ destinationAddr }));
    client.send({ command: "unbind" });
    await client.until(client.isClosed);
    const answers = client.received.slice(1).map(({ command, status }) => [command, status]);
    expect(answers).toEqual([...numbers.map(() => ["submit_sm_resp", 0]), ["unbind_resp", 0]]);
  });

  test("of a stop has what is committed answered, and is unbound", async () => {
    rig = await smppRig();
    const client = await rig.bind();
    const sequence = client.send(submitOf());
    await client.responseTo(sequence);
    await rig.stage.stop();
    expect(client.received.map(({ command }) => command)).toContain("unbind");
    expect(client.received.find(({ command }) => command === "submit_sm_resp")?.status).toBe(0);
    await rig.stage.start();
  });
});

describe("a limit", () => {
  test("of unanswered submits refuses the one beyond it, and takes no token for it", async () => {
    rig = await smppRig({ window: 3 });
    const client = await rig.bind();
    const sent = Array.from({ length: 5 }, (_, place) =>
      client.send(submitOf({ destinationAddr: `2267000000${place}` })),
    );
    const statuses: number[] = [];
    for (const sequence of sent) statuses.push((await client.responseTo(sequence)).status);
    expect(statuses).toEqual([0, 0, 0, 0x14, 0x14]);
  });

  test("of throughput holds what came, and refuses what would wait for more than two seconds", async () => {
    rig = await smppRig({ throughput: 2, window: 100 });
    const client = await rig.bind();
    const began = rig.stage.clock.steadyMs();
    const sent = Array.from({ length: 9 }, (_, place) =>
      client.send(submitOf({ shortMessage: textOf(`text ${place}`) })),
    );
    const statuses: number[] = [];
    for (const sequence of sent) statuses.push((await client.responseTo(sequence, 50)).status);
    // Two at once, four in two seconds, and the rest is too late.
    expect(statuses.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(statuses.slice(7)).toEqual([0x58, 0x58]);
    expect(rig.stage.clock.steadyMs() - began).toBeGreaterThanOrEqual(1_900);
  });
});
