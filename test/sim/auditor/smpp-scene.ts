/** Small runs with a customer's SMPP client, for the tests of rules: one text, its answer, and its receipt. */
import { deliverSm, deliverSmResp, submitSm, submitSmResp } from "./pdu-kit.ts";
import { delivered, idOf, opening, page, type Scene } from "./scene.ts";

/** The system_id, its text's number, and the id that its text gets. */
export const USER = "faso";
export const NUMBER = "22607000001";
export const ID = "00000001";

type Way = "client" | "appliance";

/** A PDU that one end writes, and the other has a moment later, unless it is lost. */
export function exchange(run: Scene, from: Way, octets: Uint8Array, isLost = false): void {
  const other: Way = from === "client" ? "appliance" : "client";
  const kind = { kind: "client pdu", user: USER, link: 1, from, octets } as const;
  run.see({ ...kind, at: from });
  run.wait(2);
  if (!isLost) run.see({ ...kind, at: other });
}

/** The client submits its text, and is answered; null: it is not. */
export function submitted(run: Scene, sequence: number, status: number | null, id = ID): void {
  const octets = new Uint8Array(Buffer.from("Bonjour"));
  exchange(run, "client", submitSm({ sequence, source: "BENDRE", destination: NUMBER, octets }));
  run.wait(20);
  if (status !== null) exchange(run, "appliance", submitSmResp(sequence, status, status === 0 ? id : ""));
}

/** A receipt, and what the client answers; null: nothing. */
export function told(run: Scene, sequence: number, stat: string, status: number | null, id = ID): void {
  const octets = new Uint8Array(Buffer.from(`id:${id} sub:001 dlvrd:001 stat:${stat} err:000 text:`));
  exchange(
    run,
    "appliance",
    deliverSm({ sequence, source: NUMBER, destination: "BENDRE", esmClass: 4, octets }),
  );
  run.wait(5);
  if (status !== null) exchange(run, "client", deliverSmResp(sequence, status));
}

/** What a test says otherwise. */
export type SmppOtherwise = {
  /** What the client and the appliance say; the text accepted, and its receipt answered, unless given. */
  readonly says?: (run: Scene) => void;
  /** What each message of the account is shown with at rest; one that was delivered unless given. */
  readonly messages?: readonly Readonly<Record<string, unknown>>[];
  readonly receiptsWaiting?: number;
};

/** A run of one client, and what is asked at rest. */
export function smppRun({ says, messages = [{}], receiptsWaiting = 0 }: SmppOtherwise = {}): Scene {
  const run = opening();
  run.command("smpp create", { ACCOUNT: "alpha", "system-id": USER }, { data: { system_id: USER } });
  const usual = (): void => {
    submitted(run, 2, 0);
    run.wait();
    told(run, 1, "DELIVRD", 0);
  };
  if (says) says(run);
  else usual();
  run.wait();
  run.see({ kind: "rest" });
  const rows = messages.map((changes, place) => ({
    ...delivered(idOf(10 + place), 0),
    message_id: idOf(600 + place),
    ...changes,
  }));
  run.ask({ client: "alpha", path: "/messages?status_changed_since=2025-01-01T00:00:00Z" }, page(rows));
  run.command("smpp show", { ID: USER }, { data: { receipts_waiting: receiptsWaiting } });
  return run;
}
