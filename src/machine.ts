/**
 * What the appliance takes of the machine besides its clock and chance: sockets, threads, the disk. A simulation brings its own. Each is
 * asked for by the room that uses it, and handed down from here.
 */

import { type Serve, systemServe } from "./base/serving.ts";
import { type StartThread, startThread } from "./base/thread.ts";
import { type HttpsNetwork, systemHttps } from "./https/resolve.ts";
import type { SendMail } from "./mail/mail.ts";
import { systemSendMail } from "./mail/send-mail.ts";
import { type Dial, systemDial } from "./smpp/dial.ts";
import { type OpenDatabase, openOnDisk } from "./store/open-database.ts";
import { type SpaceOf, systemSpaceOf } from "./upkeep/disk-room.ts";

export type Machine = {
  /** To operators. */
  readonly dial: Dial;
  /** From clients, and from commands typed beside the server. */
  readonly serve: Serve;
  /** To servers of others. */
  readonly https: HttpsNetwork;
  /** To mail servers of others. */
  readonly sendMail: SendMail;
  readonly startThread: StartThread;
  /** On its disk. */
  readonly openDatabase: OpenDatabase;
  readonly spaceOf: SpaceOf;
};

/** The machine that this process runs on. */
export const systemMachine: Machine = {
  dial: systemDial,
  serve: systemServe,
  https: systemHttps,
  sendMail: systemSendMail,
  startThread,
  openDatabase: openOnDisk,
  spaceOf: systemSpaceOf,
};
