/**
 * Clients that a generator of somebody else makes of `/openapi.json`: Python and PHP do the main job, Java is made whole. The
 * generator is a program of Java that `OPENAPI_GENERATOR_JAR` names; npm has one in `@openapitools/openapi-generator-cli` up to 1.0.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inOpenApi30 } from "../kit/openapi-30.ts";
import { type Appliance, appliance, type Tenant } from "./appliance.ts";

const jar = process.env.OPENAPI_GENERATOR_JAR ?? "";

/** Why a client cannot be made or tried here; null where it can. */
function lacking(...tools: readonly string[]): string | null {
  if (!existsSync(jar)) return "OPENAPI_GENERATOR_JAR names no generator";
  const absent = ["java", ...tools].find((tool) => Bun.which(tool) === null);
  return absent === undefined ? null : `there is no ${absent}`;
}

const PROGRAM = `
import os, sys
sys.path.insert(0, os.environ["CLIENT"])
import openapi_client as bendre

configuration = bendre.Configuration(host=os.environ["BENDRE_URL"] + "/public/v1")
configuration.access_token = os.environ["BENDRE_KEY"]
with bendre.ApiClient(configuration) as client:
    batches = bendre.BatchesApi(client)
    batch = bendre.BatchSubmission(
        sender="ACME", body="Bonjour {nom}", message_class="TRANSACTIONAL",
        recipients=[bendre.Recipient(msisdn="70123456", attributes={"nom": "Awa"}), bendre.Recipient(msisdn="12")])
    quote = batches.quote_batch(batch).data
    sent = batches.submit_batch("generated-1", batch).data
    again = batches.submit_batch("generated-1", batch).data
    fetched = batches.get_batch(sent.batch_id).data
    print(quote.amount, sent.reserved_amount, sent.batch_id == again.batch_id, fetched.rejections[0].reason_code)
    try:
        batches.get_batch("01KJQX5Y8M3T7V9B2C4D6F8G0H")
    except bendre.ApiException as error:
        print(error.status)
`;

/** The functions that this generator's PHP calls went into classes in the second version of what it is written for. */
const PHP_PROGRAM = `<?php
namespace GuzzleHttp\\Psr7 {
    if (!@include "GuzzleHttp/autoload.php") exit(3);
    if (!function_exists("GuzzleHttp\\\\Psr7\\\\build_query")) {
        function build_query($parameters) { return Query::build($parameters); }
    }
}
namespace {
    use OpenAPI\\Client\\{ApiException, Configuration};
    use OpenAPI\\Client\\Api\\BatchesApi;
    use OpenAPI\\Client\\Model\\{BatchSubmission, Recipient};
    spl_autoload_register(function ($name) {
        $file = getenv("CLIENT") . "/lib" . strtr(substr($name, strlen("OpenAPI\\\\Client")), "\\\\", "/") . ".php";
        if (is_file($file)) require $file;
    });
    $configuration = (new Configuration())
        ->setHost(getenv("BENDRE_URL") . "/public/v1")->setAccessToken(getenv("BENDRE_KEY"));
    $batches = new BatchesApi(new GuzzleHttp\\Client(), $configuration);
    $batch = new BatchSubmission([
        "sender" => "ACME", "body" => "Bonjour {nom}", "message_class" => "TRANSACTIONAL",
        "recipients" => [
            new Recipient(["msisdn" => "70123457", "attributes" => ["nom" => "Awa"]]), new Recipient(["msisdn" => "12"])]]);
    $quote = $batches->quoteBatch($batch)->getData();
    $sent = $batches->submitBatch("generated-2", $batch)->getData();
    $again = $batches->submitBatch("generated-2", $batch)->getData();
    $reason = $batches->getBatch($sent->getBatchId())->getData()->getRejections()[0]->getReasonCode();
    $isOne = $sent->getBatchId() === $again->getBatchId() ? "True" : "False";
    echo "{$quote->getAmount()} {$sent->getReservedAmount()} $isOne $reason\n";
    try {
        $batches->getBatch("01KJQX5Y8M3T7V9B2C4D6F8G0H");
    } catch (ApiException $error) {
        echo $error->getCode();
    }
}
`;

describe("a client that is generated from the document", () => {
  const place = mkdtempSync(join(tmpdir(), "bendre-generated-"));
  let bendre: Appliance;
  let tenant: Tenant;
  beforeAll(async () => {
    bendre = await appliance({ operators: { orange: "away", moov: "away" } });
    tenant = await bendre.tenant("Generated");
    const document = (await (await fetch(`${bendre.url()}/openapi.json`)).json()) as object;
    writeFileSync(join(place, "openapi.json"), JSON.stringify(inOpenApi30(document)));
  });
  afterAll(() => {
    bendre?.close();
    rmSync(place, { recursive: true });
  });

  /** Makes the client, with the generator's own check of the document; the directory that it stands in. */
  function made(language: string): string {
    const target = join(place, language);
    const words = [
      "java",
      "-jar",
      jar,
      "generate",
      "-g",
      language,
      "-i",
      join(place, "openapi.json"),
      "-o",
      target,
    ];
    const done = Bun.spawnSync(words, { cwd: place, stdout: "pipe", stderr: "pipe" });
    expect([done.exitCode, done.stderr.toString()]).toEqual([0, expect.any(String)]);
    return target;
  }

  const skip = (language: string, why: string) =>
    void process.stderr.write(`skipped: the generated client for ${language}, for ${why}\n`);

  test("in Python sends, repeats, quotes, reads and is refused", () => {
    const why = lacking("python3");
    if (why !== null) return skip("Python", why);
    const client = made("python");
    const compiled = Bun.spawnSync(["python3", "-m", "compileall", "-q", join(client, "openapi_client")]);
    expect([compiled.exitCode, compiled.stdout.toString()]).toEqual([0, ""]);
    if (Bun.spawnSync(["python3", "-c", "import urllib3, dateutil, certifi, six"]).exitCode !== 0) {
      return skip("Python", "what it needs to run is not installed");
    }
    const env = { ...process.env, CLIENT: client, BENDRE_URL: bendre.url(), BENDRE_KEY: tenant.apiKey };
    const done = Bun.spawnSync(["python3", "-c", PROGRAM], { env, stdout: "pipe", stderr: "pipe" });
    expect([done.exitCode, done.stderr.toString()]).toEqual([0, ""]);
    expect(done.stdout.toString().trim().split("\n")).toEqual(["12 12 True INVALID_MSISDN", "404"]);
  });

  test("in PHP has no error of syntax in any file, sends, repeats, quotes, reads and is refused", () => {
    const why = lacking("php");
    if (why !== null) return skip("PHP", why);
    const client = made("php");
    const files = [...new Bun.Glob("**/*.php").scanSync(join(client, "lib"))];
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      const { exitCode } = Bun.spawnSync(["php", "-l", join(place, "php/lib", file)]);
      expect([file, exitCode]).toEqual([file, 0]);
    }
    writeFileSync(join(place, "main-job.php"), PHP_PROGRAM);
    const env = { ...process.env, CLIENT: client, BENDRE_URL: bendre.url(), BENDRE_KEY: tenant.apiKey };
    const done = Bun.spawnSync(["php", join(place, "main-job.php")], { env, stdout: "pipe", stderr: "pipe" });
    if (done.exitCode === 3) return skip("PHP", "Guzzle is not installed");
    expect([done.exitCode, done.stderr.toString()]).toEqual([0, ""]);
    expect(done.stdout.toString().split("\n")).toEqual(["12 12 True INVALID_MSISDN", "404"]);
  });

  test("in Java has every operation", async () => {
    const why = lacking();
    if (why !== null) return skip("Java", why);
    const api = join(made("java"), "src/main/java/org/openapitools/client/api/BatchesApi.java");
    const source = await Bun.file(api).text();
    for (const name of ["submitBatch", "quoteBatch", "getBatch", "cancelBatch", "listBatches"]) {
      expect(source).toContain(` ${name}(`);
    }
  });
});
