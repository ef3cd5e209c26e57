/**
 * What the appliance uses of the system besides clock and chance: sockets, threads, the disk. A simulation brings its own. Each is
 * declared by the room that uses it, and handed down from here.
 */

import { type Serve, systemServe } from "../core/http-server.ts";
import { type StartThread, startThread } from "../core/thread.ts";
import { type OpenDatabase, openOnDisk } from "../db/disk.ts";
import { type HttpsNetwork, systemHttps } from "../https/address-guard.ts";
import { type SpaceOf, systemSpaceOf } from "../ops/disk-monitor.ts";
import { type SendMail, systemSendMail } from "../ops/mail/mail.ts";
import { type Dial, systemDial } from "../smpp/dial.ts";
import { type SmppListen, systemSmppListen } from "../smpp/listen.ts";

export type Platform = {
  /** To operators. */
  readonly dial: Dial;
  /** From customers over SMPP. */
  readonly listenSmpp: SmppListen;
  /** From clients, and from commands typed beside the server. */
  readonly serve: Serve;
  /** To servers of others. */
  readonly https: HttpsNetwork;
  /** To mail servers of others. */
  readonly sendMail: SendMail;
  readonly startThread: StartThread;
  /** Opens databases on disk. */
  readonly openDatabase: OpenDatabase;
  readonly spaceOf: SpaceOf;
};

/** The platform of the real system. */
export const systemPlatform: Platform = {
  dial: systemDial,
  listenSmpp: systemSmppListen,
  serve: systemServe,
  https: systemHttps,
  sendMail: systemSendMail,
  startThread,
  openDatabase: openOnDisk,
  spaceOf: systemSpaceOf,
};
