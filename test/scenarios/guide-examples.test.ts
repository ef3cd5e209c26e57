/** Every submission that a page or the reference shows is accepted as it stands with a test key, whatever the service has of WhatsApp. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { useComingEvening, useServedNumbers } from "../../src/docs/site/own-examples.ts";
import { startWhatsappSim, type WhatsappSim } from "../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS } from "../../src/simulator/whatsapp/settings.ts";
import { BUILT_IN_TEMPLATES as SIMULATED } from "../../src/simulator/whatsapp/templates.ts";
import { blocksOf } from "../e2e/guide-blocks.ts";
import { type Client, type Stage, stage } from "./stage.ts";

/** Those of the stage. */
const SERVED = [{ operator: "moov", prefixes: ["22670"] }];

type Shown = { readonly from: string; readonly body: Readonly<Record<string, unknown>> };

function submissionsIn(text: string, from: string): Shown[] {
  const body = JSON.parse(text) as Shown["body"];
  return "recipients" in body ? [{ from, body }] : [];
}

const GUIDE = join(import.meta.dirname, "../../src/docs/guide");
const OF_PAGES: readonly Shown[] = LANGUAGES.flatMap((language) =>
  readdirSync(join(GUIDE, language)).flatMap((file) => {
    const page = file.replace(/\.md$/, "");
    const shown = [
      ...blocksOf(page, "json", language),
      // What curl is given.
      ...blocksOf(page, "sh", language).flatMap((code) => /-d '(\{[\s\S]*?\})'\n/.exec(code)?.[1] ?? []),
    ];
    return shown.flatMap((text) => submissionsIn(useServedNumbers(text, SERVED), `${language}/${page}`));
  }),
);

let here: Stage;
let sim: WhatsappSim | null = null;
afterEach(async () => {
  await here.close();
  await sim?.stop();
  sim = null;
});

/** The status and the code of what a submission is answered, which names the times that it is served with. */
async function answered({ body }: Shown, reader: Client, key: string) {
  const headers = {
    authorization: `Bearer ${reader.apiKey}`,
    "idempotency-key": key,
    "content-type": "application/json",
  };
  const init = {
    method: "POST",
    headers,
    body: useComingEvening(JSON.stringify(body), here.clock.nowMs()),
  };
  const response = await fetch(`${here.url()}/public/v1/batches`, init);
  const { code, data } = (await response.json()) as { code?: string; data?: { accepted: number } };
  return [response.status, code, data?.accepted !== 0];
}

async function allAreTaken() {
  const { paths } = (await (await fetch(`${here.url()}/openapi.json`)).json()) as {
    paths: Record<
      string,
      { post?: { requestBody?: { content: Record<string, { example?: Shown["body"] }> } } }
    >;
  };
  const ofReference = Object.entries(paths).flatMap(([from, { post }]) => {
    const example = post?.requestBody?.content["application/json"]?.example;
    return example && "recipients" in example ? [{ from, body: example }] : [];
  });
  expect(ofReference.length).toBeGreaterThan(1);
  const all = [...OF_PAGES, ...ofReference];
  for (const [index, shown] of all.entries()) {
    // The pages of both languages show one text: to each reader it is the first.
    const reader = await here.inSandbox(await here.client());
    expect([shown.from, await answered(shown, reader, `k${index}`)]).toEqual([
      shown.from,
      [202, undefined, true],
    ]);
  }
}

describe("what the pages show to be pasted", () => {
  beforeEach(() => {
    expect(OF_PAGES.filter(({ body }) => body.channel === "WHATSAPP").length).toBeGreaterThan(3);
    expect(new Set(OF_PAGES.map(({ from }) => from)).size).toBeGreaterThan(9);
  });

  test("is taken where there is no WhatsApp", async () => {
    here = await stage();
    await allAreTaken();
  });

  test("is taken where a number has templates of its own", async () => {
    sim = startWhatsappSim({ clock: systemClock, settings: { ...SIM_DEFAULTS, port: 0 } });
    sim.setTemplates([
      { ...SIMULATED[1]!, name: "rappel", components: [{ type: "BODY", text: "Rappel pour {{nom}}." }] },
    ]);
    here = await stage(undefined, {
      whatsapp: {
        app_secret: "s",
        verify_token: "v",
        api: `http://127.0.0.1:${sim.port}`,
        numbers: {
          main: {
            phone_number_id: "1",
            waba_id: "2",
            token: "t",
            price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 },
          },
        },
      },
    });
    await here.admin("whatsapp sync", {});
    await allAreTaken();
  });
});
