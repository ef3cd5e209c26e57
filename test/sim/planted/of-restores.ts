/** Bugs that somebody could make where a copy takes the place of the data. */
import type { Plant } from "./plant.ts";

const RESTORE = { options: ["--messages", "100", "--faults", "restore,whatsapp"] } as const;

export const OF_RESTORES: readonly Plant[] = [
  {
    name: "goes-on-while-restoring",
    bug: "what waited in the copy is held by its place, so that a message of WhatsApp that goes on as an SMS leaves although nobody has decided",
    edits: [
      {
        file: "src/app/app.ts",
        find: "const mayClaim = () => !isRestoring(store.read) && room.mayClaim();",
        replace: "const mayClaim = () => room.mayClaim();",
      },
      {
        file: "src/app/schedule.ts",
        find: 'decided("close what WhatsApp is silent about"',
        replace: 'timed("close what WhatsApp is silent about"',
      },
      {
        file: "src/domain/messages/restore-holds.ts",
        find: "WHERE b.id = ? AND s.is_open = 1 AND s.stage = 'FIRST'",
        replace: "WHERE b.id = ? AND s.is_open = 2",
      },
    ],
    ...RESTORE,
  },
];
