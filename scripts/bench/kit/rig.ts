/** What a measurement stands on: a directory, a simulated operator, a client company, an HTTPS receiver, and the product. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_AUTHORITY } from "../../../test/kit/certificates.ts";
import type { CentreQuestion, Seen } from "../centre.ts";
import type { Told } from "../receiver.ts";
import { type Appliance, commandOf, freePort, type Product, startAppliance } from "./appliance.ts";
import { type ClientCompany, newCompany } from "./client.ts";
import { until } from "./clock.ts";
import { configuration } from "./configuration.ts";
import { bun, type Child, start } from "./processes.ts";

export type RigOptions = {
  readonly receipts?: boolean;
  /** What differs from an operator that answers at once and receipts at once. */
  readonly quirks?: Readonly<Record<string, number | boolean>>;
  /** Where the data is kept from an earlier run; a new directory unless given. */
  readonly data?: string;
};

export type Rig = {
  readonly product: Product;
  readonly port: number;
  readonly data: string;
  /** A client company with funds, a sender that may be used, and a key; made by commands, before the start or after it. */
  readonly company: () => Promise<ClientCompany>;
  readonly startAppliance: () => Promise<Appliance>;
  /** Starts the operator, which is away until then. */
  readonly startCentre: () => Promise<void>;
  readonly centre: (question: CentreQuestion) => Promise<Seen>;
  /** Waits until somebody is bound to the operator. */
  readonly bound: () => Promise<void>;
  /** Has the company's events told to the receiver. */
  readonly hook: (company: ClientCompany) => Promise<void>;
  readonly told: () => Promise<Told>;
  readonly close: () => Promise<void>;
};

export async function openRig(product: Product, options: RigOptions = {}): Promise<Rig> {
  const directory = mkdtempSync(join(tmpdir(), "bendre-bench-"));
  const [port, centrePort] = [await freePort(), await freePort()];
  const config = join(directory, "config.toml");
  const data = options.data ?? join(directory, "data");
  writeFileSync(join(directory, "ca.pem"), TEST_AUTHORITY);
  writeFileSync(
    config,
    configuration({ directory, data, port, centrePort, receipts: options.receipts ?? true }),
  );
  let centre: Child | null = null;
  let receiver: Child | null = null;
  let appliance: Appliance | null = null;
  const asked = async <T>(child: Child | null, question: unknown): Promise<T> => {
    if (child === null) throw new Error("it was not started");
    return (await child.ask(question)) as T;
  };
  const seen = (question: CentreQuestion) => asked<Seen>(centre, question);
  return {
    product,
    port,
    data,
    company: () => Promise.resolve(newCompany(port, commandOf(product), config)),
    startAppliance: async () => {
      appliance = await startAppliance(product, config, port);
      return appliance;
    },
    startCentre: async () => {
      const quirks = JSON.stringify(options.quirks ?? {});
      centre = await start([bun, "scripts/bench/centre.ts", String(centrePort), quirks], { talks: true });
    },
    centre: seen,
    bound: () => until("a bind", async () => (await seen("seen")).bound > 0),
    hook: async (company) => {
      receiver = await start([bun, "scripts/bench/receiver.ts"], { talks: true });
      const { port: receiverPort } = receiver.first as { port: number };
      await company.hook(`https://127.0.0.1:${receiverPort}/hook`);
    },
    told: () => asked<Told>(receiver, "told"),
    close: async () => {
      await appliance?.stop().catch(() => {});
      for (const child of [centre, receiver]) child?.signal("SIGTERM");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
