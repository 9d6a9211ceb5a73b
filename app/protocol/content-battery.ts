/** The content battery of this machine as a window offers it. */

/** A clip that was made, by what its file's name says. */
export interface BatteryFile {
  path: string;
  /** WIDTHxHEIGHT@RATE */
  format: string;
  seconds: number;
  variant: string;
  chunks: number;
  bytes: number;
}

export interface BatteryClip {
  name: string;
  /** What of a chain of sending and receiving it puts to the test. */
  stresses: string;
  /** None: it has yet to be made. Largest files first. */
  files: BatteryFile[];
}

/** A clip that is being made. */
export interface ClipProgress {
  clip: string;
  /** Each clip is decoded to check it, once it is made. */
  stage: 'made' | 'checked';
  framesDone: number;
  frames: number;
  /** Until it is made, if that goes on as fast; null at the beginning. */
  secondsLeft: number | null;
}

export interface ContentBattery {
  folder: string;
  clips: BatteryClip[];
}
