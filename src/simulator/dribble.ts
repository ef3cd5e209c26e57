import type { WritableSocket } from "../smpp/socket-writer.ts";
import type { Centre } from "./centre.ts";

/** A socket that takes one octet a turn as long as the quirk asks for it. `goOn` is called when it takes the next. */
export function dribbling(socket: WritableSocket, centre: Centre, goOn: () => void): WritableSocket {
  let isWaiting = false;
  return {
    write: (octets) => {
      if (!centre.quirks.byteWrites) return socket.write(octets);
      if (isWaiting) return 0;
      isWaiting = true;
      centre.clock.soon(() => {
        isWaiting = false;
        goOn();
      });
      return socket.write(octets.subarray(0, 1));
    },
  };
}
