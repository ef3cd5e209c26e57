/** Plays an administrator's year on the executable, chapter by chapter, on its own clock. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { smallDisk } from "../../test/e2e/small-disk.ts";
import { clockLibrary } from "../rehearse/shifted-clock.ts";
import { badEdit } from "./chapters/bad-edit.ts";
import { certificate } from "./chapters/certificate.ts";
import { connect } from "./chapters/connect.ts";
import { death } from "./chapters/death.ts";
import { erasure } from "./chapters/erasure.ts";
import { fullDisk } from "./chapters/full-disk.ts";
import { install } from "./chapters/install.ts";
import { operatorDown } from "./chapters/operator-down.ts";
import { restore } from "./chapters/restore.ts";
import { sell } from "./chapters/sell.ts";
import { taxman } from "./chapters/taxman.ts";
import { upgrade } from "./chapters/upgrade.ts";
import { watch } from "./chapters/watch.ts";
import { PASSWORDS } from "./configuration.ts";
import { numberBook } from "./customer.ts";
import { machineAt } from "./machine.ts";
import { operatorOf } from "./operators.ts";
import { receiver } from "./receiver.ts";
import { type Story, storyTo } from "./story.ts";
import { worldClock } from "./world-clock.ts";
import { type Chapter, closeChapter, handsets, type Size, travel, type Year } from "./year.ts";

type Scene = {
  readonly at: string;
  readonly title: string;
  readonly play: Chapter;
  /** The server is not running before it. */
  readonly isFirst?: boolean;
  /** What comes later needs it. */
  readonly isAlways?: boolean;
};

const SCENES: readonly Scene[] = [
  { at: "2027-01-04T09:00:00Z", title: "it is installed", play: install, isFirst: true, isAlways: true },
  { at: "2027-01-04T10:00:00Z", title: "it is connected", play: connect, isFirst: true, isAlways: true },
  { at: "2027-01-05T09:00:00Z", title: "the first customers", play: sell, isAlways: true },
  { at: "2027-01-11T09:00:00Z", title: "an ordinary week", play: watch },
  { at: "2027-02-15T09:00:00Z", title: "an operator is away", play: operatorDown },
  { at: "2027-03-08T09:00:00Z", title: "the disk is full", play: fullDisk },
  { at: "2027-04-06T09:00:00Z", title: "a bad edit", play: badEdit },
  { at: "2027-05-20T09:00:00Z", title: "a certificate is renewed", play: certificate },
  { at: "2027-06-14T09:00:00Z", title: "older machines are upgraded", play: upgrade },
  { at: "2027-07-05T09:00:00Z", title: "the power fails", play: death },
  { at: "2027-09-06T09:00:00Z", title: "the machine burns down", play: restore },
  { at: "2027-11-08T09:00:00Z", title: "somebody asks to be forgotten", play: erasure },
  { at: "2028-01-10T09:00:00Z", title: "the taxman", play: taxman },
];

/** The disk of the first machine, where one can be mounted: enough for its database and its backups. */
const DISK_MIB = 512;

export type Played = {
  readonly broken: readonly string[];
  /** One line of figures. */
  readonly figures: string;
  /** Where everything lies that was left. */
  readonly place: string;
};

export type PlayOptions = {
  readonly executable: string;
  readonly size: Size;
  readonly print: (line: string) => void;
  /** Leaves everything where it is. */
  readonly isKept?: boolean;
  /** Titles of scenes to be played beside those that all others need; all where there are none. */
  readonly only?: readonly string[];
};

/** Plays it; null where this machine has no gcc, which the clock needs. */
export async function playYear({
  executable,
  size,
  print,
  isKept = false,
  only = [],
}: PlayOptions): Promise<Played | null> {
  const place = mkdtempSync(join(tmpdir(), "bendre-admin-year-"));
  const library = clockLibrary(place);
  if (library === null) return null;
  const story = storyTo(print);
  const beganMs = performance.now();
  const year = await worldIn({ place, library, executable, size, story });
  try {
    for (const scene of SCENES.filter(
      ({ title, isAlways }) => isAlways || only.length === 0 || only.includes(title),
    ))
      await playScene(year, scene);
  } catch (error) {
    story.promise(false, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const figures = figuresOf(year, performance.now() - beganMs);
  await closeWorld(year);
  if (!isKept && story.broken().length === 0) rmSync(place, { recursive: true });
  return { broken: story.broken(), figures, place };
}

async function playScene(year: Year, { at, title, play, isFirst }: Scene): Promise<void> {
  year.story.chapter(new Date(at), title);
  if (isFirst) year.clock.set(new Date(at));
  else await travel(year, new Date(at));
  await play(year);
  if (!isFirst) await closeChapter(year);
}

type WorldParts = {
  readonly place: string;
  readonly library: string;
  readonly executable: string;
  readonly size: Size;
  readonly story: Story;
};

async function worldIn({ place, library, executable, size, story }: WorldParts): Promise<Year> {
  const clock = worldClock(library, join(place, "clock"));
  const operator = (code: keyof typeof PASSWORDS) =>
    operatorOf(
      code,
      [...clock.prefix, executable],
      [
        "--strict",
        "--user",
        `bendre:${PASSWORDS[code]}`,
        "--response-delay-ms",
        "50",
        "--receipt-delay-ms",
        "200",
      ],
    );
  const disk = smallDisk(DISK_MIB);
  const year: Year = {
    story,
    size,
    place,
    executable,
    clock,
    clockLibrary: library,
    orange: await operator("orange"),
    moov: await operator("moov"),
    hooks: receiver(() => year.hookSecret),
    numbers: numberBook(),
    disk,
    machine: machineAt({
      name: "first",
      root: join(place, "first"),
      executable,
      clock,
      story,
      ...(disk && { data: join(disk.path, "data") }),
    }),
    customers: [],
    papers: new Map(),
    mayRepeat: new Set(),
    hookSecret: "",
  };
  return year;
}

function figuresOf(year: Year, ms: number): string {
  const { story, hooks, orange, moov } = year;
  return [
    `${story.kept()} promises kept, ${story.broken().length} broken`,
    `${handsets(year).length} texts on handsets by ${orange.submits() + moov.submits()} submit_sm`,
    `${year.mayRepeat.size} listed as possibly twice`,
    `${hooks.events.size} events and ${hooks.alarms.length} alarms told`,
    `${(ms / 1000).toFixed(0)} s`,
  ].join("; ");
}

async function closeWorld({ machine, orange, moov, hooks, disk }: Year): Promise<void> {
  if (machine.isRunning()) await machine.stop();
  await Promise.all([orange.kill(), moov.kill()]);
  hooks.close();
  disk?.remove();
}
