import { codecQualityReasons } from './codec-quality/reasons';
import { fanOutReasons } from './fan-out/reasons';
import { linkReasons } from './link/reasons';
import { crosspointReasons } from './nmos-scale/crosspoint-reasons';
import { nmosScaleReasons } from './nmos-scale/reasons';
import { pacingReasons } from './pacing/reasons';
import { quietReasons } from './quiet/reasons';
import { storageReasons } from './storage/reasons';
import { transportReasons } from './transport/reasons';

/** Why rows of one experiment alone have their verdicts. */
export const experimentReasons = {
  ...codecQualityReasons,
  ...fanOutReasons,
  ...linkReasons,
  ...nmosScaleReasons,
  ...crosspointReasons,
  ...pacingReasons,
  ...quietReasons,
  ...storageReasons,
  ...transportReasons,
};
