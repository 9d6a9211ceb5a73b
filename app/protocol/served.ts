import type { About } from './about';
import { command, ours } from './command-table';
import type { GrantedFile } from './granted-file';
import { exportKindSchema } from './shell';

/** What passes between a page that `whiteline serve` gave to a browser, and the process that serves it. */

/** Each is a WebSocket of its own, and carries what the port of that kind carries in Electron. */
export const servedChannels = ['engine', 'previews', 'textures', 'archive', 'shell'] as const;
export type ServedChannel = (typeof servedChannels)[number];

/** A WebSocket's protocols: this one, and the token, which so never stands in a server's log of addresses. */
export const servedProtocol = 'whiteline';

/** The address of the page ends in this and the token: a browser keeps what stands there to itself. */
export const tokenMark = '#token=';

/** In the place of main, and of its dialogs: the server chooses a file in its folder of exports. */
export const servedCommands = {
  chooseExport: command({ kind: exportKindSchema }, ours<GrantedFile>()),
  choosePlanFile: command({}, ours<GrantedFile>()),
  readAbout: command({}, ours<About>()),
};

/** Before the word for a file that was written for a page: the address at which a browser gets it. */
export const writtenMark = '/written/';
/** Behind that word: the browser is to keep the file instead of showing it. */
export const savedMark = '?save';
