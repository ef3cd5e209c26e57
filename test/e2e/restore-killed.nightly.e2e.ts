/** The restore that is killed on its way, at three times as many moments as in the check. */
import "./restore-killed.e2e.ts";
