import type { contentCommands } from '../../protocol/console-commands';
import type { Handlers } from '../../rpc/serve-commands';
import { contentBattery } from '../content/battery';
import { findManifest } from '../content/find-manifest';
import { contentFolder } from '../content/folder';
import { done, type EngineParts } from './engine-parts';

export function contentHandlers({ work }: Pick<EngineParts, 'work'>): Handlers<typeof contentCommands> {
  return {
    listBattery: () => contentBattery(findManifest(), contentFolder()),
    makeClip: ({ clip, format }) => done(work.makeClip(clip, format)),
  };
}
