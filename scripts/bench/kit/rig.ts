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
import { signedIn } from "./console-people.ts";
import { bun, type Child, start } from "./processes.ts";

export type RigOptions = {
  readonly receipts?: boolean;
  /** What differs from an operator that answers at once and receipts at once. */
  readonly quirks?: Readonly<Record<string, number | boolean>>;
  /** Where the data is kept from an earlier run; a new directory unless given. */
  readonly data?: string;
  /** Whether its holds are not looked at. */
  readonly isLeftAlone?: boolean;
  /** Whether customers may bind. */
  readonly hasCustomers?: boolean;
};

export type Rig = {
  readonly port: number;
  /** Where customers bind, of a rig that has some. */
  readonly smppPort: number | null;
  /** A client company with funds, a sender that may be used, and a key; made by commands, before the start or after it. */
  readonly company: () => Promise<ClientCompany>;
  /** An owner of the console who is signed in, once the product runs: the cookie. */
  readonly owner: () => Promise<string>;
  /** Starts the product alone. */
  readonly startAppliance: () => Promise<Appliance>;
  /** Starts the operator, which is away until then. */
  readonly startCentre: () => Promise<void>;
  /** Starts the operator and the product, and waits until it is bound. */
  readonly startBoth: () => Promise<Appliance>;
  readonly centre: (question: CentreQuestion) => Promise<Seen>;
  /** Has the company's events told to the receiver. */
  readonly hook: (company: ClientCompany) => Promise<void>;
  readonly told: () => Promise<Told>;
  readonly close: () => Promise<void>;
};

/** Builds one; what it starts ends with it. */
export async function openRig(product: Product, options: RigOptions = {}): Promise<Rig> {
  const directory = mkdtempSync(join(tmpdir(), "bendre-bench-"));
  const [port, centrePort] = [await freePort(), await freePort()];
  const smppPort = options.hasCustomers ? await freePort() : null;
  const config = join(directory, "config.toml");
  const data = options.data ?? join(directory, "data");
  writeFileSync(join(directory, "ca.pem"), TEST_AUTHORITY);
  writeFileSync(
    config,
    configuration({ directory, data, port, centrePort, receipts: options.receipts ?? true, smppPort }),
  );
  let centre: Child | null = null;
  let receiver: Child | null = null;
  let appliance: Appliance | null = null;
  const asked = async <T>(child: Child | null, question: unknown): Promise<T> => {
    if (child === null) throw new Error("it was not started");
    return (await child.ask(question)) as T;
  };
  const seen = (question: CentreQuestion) => asked<Seen>(centre, question);
  const startCentre = async (): Promise<void> => {
    const quirks = JSON.stringify(options.quirks ?? {});
    centre = await start([bun, "scripts/bench/centre.ts", String(centrePort), quirks], { talks: true });
  };
  const startProduct = async (): Promise<Appliance> => {
    appliance = await startAppliance(product, {
      config,
      port,
      holds: options.isLeftAlone ? null : directory,
    });
    return appliance;
  };
  return {
    port,
    smppPort,
    company: () => Promise.resolve(newCompany(port, commandOf(product), config)),
    owner: () => signedIn(`http://127.0.0.1:${port}`, commandOf(product), config),
    startAppliance: startProduct,
    startCentre,
    startBoth: async () => {
      await startCentre();
      const started = await startProduct();
      await until("a bind", async () => (await seen("seen")).bound > 0);
      return started;
    },
    centre: seen,
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
