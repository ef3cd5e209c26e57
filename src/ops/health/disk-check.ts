import { type HealthCheck, well } from "../../core/health.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { DiskMonitor } from "../disk-room.ts";

/** Whether the data directory's disk has room: degraded below twice the reserve, down below it. */
export function diskCheck({ measure }: Pick<DiskMonitor, "measure">): HealthCheck {
  return {
    name: "disk",
    look: () => {
      const { freeBytes, totalBytes, level } = measure();
      const room = { free: freeBytes, total: totalBytes };
      const action = phrase("health.disk.action");
      switch (level) {
        case "ample":
          return well(phrase("health.disk", room));
        case "scarce":
          return { status: "degraded", detail: phrase("health.disk", room), action };
        case "reserved":
          return { status: "down", detail: phrase("health.disk.reserved", room), action };
        case "spent":
          return { status: "down", detail: phrase("health.disk.spent", room), action };
      }
    },
  };
}
