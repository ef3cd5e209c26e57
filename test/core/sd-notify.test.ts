import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sendDatagram, serviceManager } from "../../src/core/sd-notify.ts";
import { testClock } from "../kit/test-clock.ts";
import { testLog } from "../kit/test-log.ts";

function rig(env: Record<string, string>, send?: (to: string, text: string) => void) {
  const told: string[] = [];
  const clock = testClock();
  const log = testLog();
  const keep = (to: string, text: string): void => void told.push(`${to}: ${text.replaceAll("\n", ", ")}`);
  const manager = serviceManager({ env, pid: 42, clock, log, send: send ?? keep });
  return { told, clock, log, manager };
}

test("whoever started the process hears of its start, a reload and its end", () => {
  const { told, manager } = rig({ NOTIFY_SOCKET: "/run/notify" });
  manager.ready();
  manager.reloading();
  manager.reloaded();
  manager.stopping();
  expect(told).toEqual([
    "/run/notify: READY=1, STATUS=ready",
    "/run/notify: RELOADING=1, STATUS=reading the configuration again",
    "/run/notify: READY=1, STATUS=ready",
    "/run/notify: STOPPING=1, STATUS=stopping",
  ]);
});

test("a reload that ends while the process stops is no second start", () => {
  const { told, manager } = rig({ NOTIFY_SOCKET: "/run/notify" });
  manager.reloading();
  manager.stopping();
  manager.reloaded();
  expect(told.filter((line) => line.includes("READY=1"))).toEqual([]);
});

test("a watchdog hears twice in its time that the event loop turns, until the process stops", async () => {
  const { told, manager, clock } = rig({
    NOTIFY_SOCKET: "/n",
    WATCHDOG_USEC: "60000000",
    WATCHDOG_PID: "42",
  });
  const beats = (): number => told.filter((line) => line === "/n: WATCHDOG=1").length;
  await clock.advance(100_000);
  expect(beats()).toBe(0);
  manager.ready();
  await clock.advance(90_000);
  expect(beats()).toBe(4);
  manager.stopping();
  await clock.advance(90_000);
  expect(beats()).toBe(4);
});

test("a watchdog that waits for another process, or for none, hears nothing", () => {
  for (const env of [{ WATCHDOG_USEC: "60000000", WATCHDOG_PID: "41" }, { WATCHDOG_USEC: "x" }]) {
    const { told, manager, clock } = rig({ NOTIFY_SOCKET: "/n", ...env });
    manager.ready();
    expect(told).toEqual(["/n: READY=1, STATUS=ready"]);
    expect(clock.waiting()).toBe(0);
  }
});

test("without a service manager nothing is told", () => {
  const { told, manager } = rig({ WATCHDOG_USEC: "60000000" });
  manager.ready();
  manager.stopping();
  expect(told).toEqual([]);
});

test("one that cannot be told is logged once and ends nothing", () => {
  const failing = rig({ NOTIFY_SOCKET: "/n" }, () => {
    throw new Error("gone");
  });
  failing.manager.ready();
  failing.manager.stopping();
  expect(failing.log.lines.filter(({ level }) => level === "error").length).toBe(1);
});

/** Waits for one datagram at a path or an abstract name, and prints it. */
const LISTENER = `
import socket, sys
name = sys.argv[1]
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind("\\0" + name[1:] if name.startswith("@") else name)
print("listening", flush=True)
print(s.recv(4096).decode(), flush=True)
`;

test.skipIf(Bun.which("python3") === null)(
  "a datagram arrives at a path and at an abstract name",
  async () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-notify-"));
    for (const name of [join(directory, "socket"), `@${directory}`]) {
      const listener = Bun.spawn(["python3", "-c", LISTENER, name], { stdout: "pipe" });
      let heard = "";
      for await (const chunk of listener.stdout) {
        const isFirst = heard === "";
        heard += new TextDecoder().decode(chunk);
        if (isFirst) sendDatagram(name, "READY=1\nSTATUS=é");
      }
      expect(heard).toBe("listening\nREADY=1\nSTATUS=é\n");
    }
    expect(() => sendDatagram(join(directory, "nobody"), "READY=1")).toThrow("nobody takes datagrams");
    expect(() => sendDatagram(`/${"x".repeat(108)}`, "READY=1")).toThrow("too long");
    rmSync(directory, { recursive: true });
  },
);
