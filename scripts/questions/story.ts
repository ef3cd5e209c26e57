/** What has happened in the world of the pages when their questions are asked: one step after the other, the same each time. */
import { esme, submit } from "../../test/simulator/esme.ts";
import type { World } from "./world.ts";

const MINUTE_MS = 60_000;

/** A step of the story by its name, as the pages name it. */
export const SCENES: Readonly<Record<string, (world: World) => Promise<void>>> = {
  /** A morning's traffic: delivered, failed, and one operator away. */
  morning: async (world) => {
    const key = await setUp(world);
    await sendTexts(world, key);
    await world.pass(3 * MINUTE_MS);
  },
  /** An operator takes a text, answers nothing, and its receipt is lost. */
  silence: async (world) => {
    const orange = world.operators.get("smsc.orange.example");
    orange?.change({ swallowEvery: 1, lostReceiptPercent: 100 });
    const key = String(
      (await told(world, ..."key create pharma --name promo --scopes all".split(" "))).api_key,
    );
    const recipients = [{ msisdn: "76 45 10 21" }];
    const batch = { sender: "PHARMA", body: "Moins 20 % ce samedi.", message_class: "MARKETING", recipients };
    await world.post("/batches", key, batch);
    await world.pass(MINUTE_MS / 2);
    orange?.change({ swallowEvery: 0, lostReceiptPercent: 0 });
  },
  /** Another program sends with our system_id and leaves: the receipt of its text comes to us. */
  stranger: async (world) => {
    const orange = world.operators.get("smsc.orange.example");
    if (!orange) throw new Error("the world has no Orange");
    const program = await esme(orange.port);
    await program.bind("transmitter");
    program.write(submit(2, "22676451022"));
    await program.until("submit_sm_resp");
    program.close();
    await program.closed;
    await world.pass(MINUTE_MS / 6);
  },
  /** Somebody edited the file. */
  edited: async (world) => {
    world.edit("price = 15", "price = 16");
    world.edit("throughput = 50", "throughput = 80");
    world.edit('listen = "127.0.0.1:8080"', 'listen = "127.0.0.1:8081"');
  },
  /** And made a mistake. */
  mistaken: async (world) => {
    world.edit("throughput = 80", 'throughput = "80 a second"');
  },
  mended: async (world) => {
    world.edit('throughput = "80 a second"', "throughput = 80");
  },
  stopped: (world) => world.stop(),
};

async function told(world: World, ...words: string[]): Promise<Record<string, unknown>> {
  const { text, code } = await world.type([...words, "--json"]);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${text}`);
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
}

/** Two customers; the key of the first. */
async function setUp(world: World): Promise<string> {
  await told(
    world,
    ..."account create --short-name pharma --billing prepaid --name".split(" "),
    "Pharmacie du Marché",
  );
  await told(
    world,
    ..."account create --short-name mairie --billing postpaid --credit-limit 500000 --name".split(" "),
    "Mairie de Koudougou",
  );
  await told(world, ..."wallet topup pharma 50000 --reference OM-260302-4471".split(" "));
  for (const sender of ["PHARMA", "PROMO"]) await told(world, "sender", "request", "pharma", sender);
  await told(world, "sender", "request", "mairie", "MAIRIE");
  await told(world, "sender", "approve", "pharma", "PHARMA");
  for (const operator of ["orange", "moov", "telecel"]) {
    await told(world, "sender", "register", "pharma", "PHARMA", "--operator", operator);
  }
  const made = await told(world, ..."key create pharma --name shop --scopes all".split(" "));
  await world.pass(10_000);
  return String(made.api_key);
}

/** Texts that arrive, fail, wait for the operator that is away, and wait for the next day. */
async function sendTexts(world: World, key: string): Promise<void> {
  const send = async (message_class: string, body: string, numbers: readonly string[]) => {
    const recipients = numbers.map((msisdn) => ({ msisdn }));
    await world.post("/batches", key, { sender: "PHARMA", body, message_class, recipients });
    await world.pass(MINUTE_MS / 2);
  };
  await send("TRANSACTIONAL", "Votre ordonnance est prête.", ["70 12 34 56", "76 45 10 20", "05 11 22 33"]);
  await send("OTP", "Votre code est 4417.", ["74 30 99 00 5", "76 09 90 05", "76 09 90 01"].slice(1));
  await send("TRANSACTIONAL", "Votre commande vous attend.", [
    "78 20 30 40",
    "79 20 30 41",
    "70 09 90 06",
    "71 09 90 08",
  ]);
}
