import { remotePreviewLimits } from '../../app/protocol/fleet/remote-preview';
import type { ElsewherePicture } from '../engine/elsewhere-previews';

/** Pictures of a stream that another machine receives. */
export const elsewhereTexts = {
  picture: (machine: string, { state, hasPicture }: ElsewherePicture): string => {
    switch (state) {
      case 'open':
        return hasPicture
          ? `Picture from ${machine}, at most ${remotePreviewLimits.perSecond} a second`
          : `Waiting for a picture from ${machine}`;
      case 'behind':
        return `Pictures from ${machine} wait: the fleet’s bus is busy with frame records`;
      case 'silent':
        return `No new picture from ${machine}`;
      case 'gone':
        return hasPicture
          ? `${machine} is gone: this is its last picture`
          : `${machine} is gone: no picture arrived`;
    }
  },
  /** Why it has neither full size nor display window. */
  onlySmall: (machine: string) =>
    `${machine} receives this stream: this machine gets only small pictures of it`,
};
