import type { ClipProgress } from '../../app/protocol/content-battery';

/** What is said where the source of the next stream is chosen, and where a moment of a run is marked. */

export const pickerTexts = {
  battery: {
    title: 'Test clips',
    choose: 'Choose a test clip…',
    hint: 'From the content battery. Each clip stresses something different.',
    loading: 'Checking what was made…',
    clip: 'Clip',
    stresses: 'What it stresses',
    made: 'On this machine',
    notMade: 'Not made yet',
    make: (format: string) => `Make in ${format}`,
    makeThis: (clip: string, format: string) => `Make ${clip} in ${format}`,
    isBusy: 'Clips can be made only while nothing is measured.',
    making: (clip: string, stage: ClipProgress['stage']) =>
      stage === 'made' ? `${clip} is being made` : `${clip} is being checked`,
    makeStop: (clip: string) => `Stop making ${clip}`,
    /** With --clips for one clip alone; docs/content.md has the other settings. */
    inTerminal: 'To make all clips in a terminal:',
    command: (size: string, rate: string) => `whiteline content make --size ${size} --rate ${rate}`,
    folder: (folder: string) => `Clips are in ${folder}.`,
    checkAgain: 'Search again',
    file: (format: string, seconds: number) => `${format}, ${seconds} s`,
    fileHelp: (variant: string, chunks: number, megabytes: string) =>
      `${variant}, ${chunks === 1 ? '1 chunk' : `${chunks} chunks`}, ${megabytes} MB`,
    play: (clip: string, format: string, seconds: number) => `${clip}, ${format}, ${seconds} s`,
  },
  /** Of another machine, which its agent offers. */
  movies: {
    choose: (machine: string) => `Choose a movie on ${machine}…`,
    hint: (machine: string) => `From the media folders of ${machine}.`,
    title: (machine: string) => `Movies on ${machine}`,
    loading: (machine: string) => `Asking ${machine}…`,
    lookAgain: 'Search again',
    find: 'Find',
    found: (found: string, all: string) => `${found} of ${all}`,
    play: (name: string, machine: string) => `${name} on ${machine}`,
    noFolders: (machine: string) =>
      `${machine} offers no movie: start its agent with the folder of its movies, as in whiteline agent JOINFILE --media FOLDER.`,
    empty: (machine: string) => `The media folders of ${machine} contain no movie.`,
    more: (count: string) => `And ${count} more, which are not listed.`,
    notWhole: 'There may be more: not all folders could be read.',
    noClip: (machine: string) =>
      `Test clips are on this machine only: choose a movie on ${machine}, or send from this machine.`,
  },
  presets: {
    open: 'Presets…',
    title: 'Presets of source and format',
    builtIn: {
      study: 'The study: 2160p60',
      hd: 'Full HD: 1080p60',
      worst: 'Worst for a codec: 1080p60 noise',
      light: 'Light: 720p30',
    },
    own: 'Your own',
    given: 'Built in',
    none: 'None yet.',
    choose: (name: string) => `Choose ${name}`,
    delete: 'Delete',
    deleteThis: (name: string) => `Delete ${name}`,
    name: 'Save this source and format as',
    isThere: (name: string) => `You have a preset ${name} already. Replace it, or type another name.`,
    replace: 'Replace',
    notOfOthers: 'A preset cannot hold a movie of another machine.',
    nothingSet: 'Nothing to save yet: choose a file or a format on the left.',
    summary: (kind: string, format: string) => `${kind}, ${format}`,
    notHere: 'Your own presets are available in Whiteline’s own window only.',
    saved: (name: string) => `${name} is saved`,
    deleted: (name: string) => `${name} is deleted`,
  },
} as const;

export const profileTexts = {
  label: 'Thresholds',
  ofPlan: 'Thresholds of the plan',
  help: 'The thresholds that decide the verdicts of the rows and the run',
  /** Its file cannot be read, which an alert says. */
  unknown: 'Of the settings',
} as const;

export const markingTexts = {
  clean: 'No frame lost or missed:',
  cleanNow: 'now',
  cleanLongest: 'longest',
  cleanHelp:
    'How long every stream has been received and counted without a frame that was lost, or missed by its sender. The time starts again after an outage, when a stream connects, or if losses are not measured.',
  title: 'This run',
  marker: 'Marker',
  note: 'Note',
  noteTitle: 'Add a note to the newest run',
  noteText: 'Note (Enter saves, Shift+Enter starts a new line)',
  markerSet: (time: string) => `Marker set at ${time}`,
  noteSaved: (time: string) => `Note saved at ${time}`,
} as const;
