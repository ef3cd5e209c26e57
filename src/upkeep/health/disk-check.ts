import { type HealthCheck, well } from "../../base/health.ts";
import { type DiskRoom, megabytes } from "../disk-room.ts";

/** Whether the data directory's disk has room: degraded below twice the reserve, down below it. */
export function diskCheck({ measure }: Pick<DiskRoom, "measure">): HealthCheck {
  return {
    name: "disk",
    look: () => {
      const { freeBytes, totalBytes, level } = measure();
      const detail = `${megabytes(freeBytes)} MB of ${megabytes(totalBytes)} MB free`;
      const action = "make room: on a full disk nothing is accepted";
      switch (level) {
        case "ample":
          return well(detail);
        case "scarce":
          return { status: "degraded", detail, action };
        case "reserved":
          return { status: "down", detail: `${detail}: nothing new is accepted`, action };
        case "spent":
          return {
            status: "down",
            detail: `${detail}: nothing new is accepted, and nothing is sent`,
            action,
          };
      }
    },
  };
}
