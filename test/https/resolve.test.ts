import { describe, expect, test } from "vitest";
import { cacheResolve, ownAddresses, systemResolve } from "../../src/https/address-guard.ts";
import { testClock } from "../kit/test-clock.ts";

describe("the addresses of a name", () => {
  test("are asked for once in half a minute, or as soon as they are to be forgotten", async () => {
    const clock = testClock();
    let asked = 0;
    const names = cacheResolve(async () => [`192.0.43.${++asked}`], clock);
    expect(await names.addressesOf("a")).toEqual(["192.0.43.1"]);
    expect(await names.addressesOf("a")).toEqual(["192.0.43.1"]);
    expect(await names.addressesOf("b")).toEqual(["192.0.43.2"]);
    names.forget("a");
    expect(await names.addressesOf("a")).toEqual(["192.0.43.3"]);
    await clock.advance(29_999);
    expect(await names.addressesOf("a")).toEqual(["192.0.43.3"]);
    await clock.advance(1);
    expect(await names.addressesOf("a")).toEqual(["192.0.43.4"]);
  });

  test("are asked for again after nobody knew them", async () => {
    let asked = 0;
    const names = cacheResolve(() => {
      asked += 1;
      return asked === 1 ? Promise.reject(new Error("unknown")) : Promise.resolve(["192.0.43.7"]);
    }, testClock());
    await expect(names.addressesOf("a")).rejects.toThrow("unknown");
    expect(await names.addressesOf("a")).toEqual(["192.0.43.7"]);
  });

  test("of this machine are its own, and localhost is among them", async () => {
    const own = ownAddresses();
    for (const address of await systemResolve("localhost")) expect(own.has(address)).toBe(true);
  });
});
