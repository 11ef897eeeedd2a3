import { useState } from 'preact/hooks';
import { toObject } from '../../receiver/read-json.js';
import type { Json } from '../../receiver/received.js';
import {
  culpritOf,
  fileOf,
  framesIn,
  functionOf,
  plural,
  shortenPath,
  sourceOf,
} from '../../receiver/render/describe-event.js';
import { FactTable } from './facts.jsx';
import { show } from './text.js';

/** Source lines before and after a call. */
const SOURCE_LINES = 5;
const MAX_FRAMES = 100;

/** Frames of the application, the first one open; those of others are folded. */
export function Stack({ exception, folder }: { exception: Json; folder: string }) {
  const frames = framesIn(exception).slice(0, MAX_FRAMES);
  const culprit = culpritOf(exception);
  return (
    <ol class="stack">
      {foldOthers(frames, culprit).map((part, index) =>
        part.isFolded ? (
          <FoldedFrames key={index} frames={part.frames} folder={folder} />
        ) : (
          <Frame key={index} frame={part.frames[0]!} folder={folder} isOpen={part.frames[0] === culprit} />
        ),
      )}
    </ol>
  );
}

function foldOthers(frames: readonly Json[], culprit: Json | undefined): { isFolded: boolean; frames: Json[] }[] {
  const parts: { isFolded: boolean; frames: Json[] }[] = [];
  for (const frame of frames) {
    const isFolded = frame !== culprit && frame['in_app'] !== true;
    const last = parts.at(-1);
    if (isFolded && last?.isFolded) last.frames.push(frame);
    else parts.push({ isFolded, frames: [frame] });
  }
  return parts;
}

function FoldedFrames({ frames, folder }: { frames: readonly Json[]; folder: string }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return frames.map((frame, index) => <Frame key={index} frame={frame} folder={folder} isOpen={false} />);
  return (
    <li>
      <button type="button" class="frame folded" onClick={() => setOpen(true)}>
        {plural(frames.length, 'frame')} in dependencies and Node
      </button>
    </li>
  );
}

function Frame({ frame, folder, isOpen: isOpenAtFirst }: { frame: Json; folder: string; isOpen: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const lines = isOpen ? sourceOf(frame, SOURCE_LINES) : [];
  const variables = Object.entries(toObject(frame['vars']));
  const position = [frame['lineno'], frame['colno']].filter((number) => typeof number === 'number').join(':');
  return (
    <li class={frame['in_app'] === true ? 'own' : 'other'}>
      <button type="button" class="frame" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="function">{show(functionOf(frame))}</span>
        <span class="file">
          {show(shortenPath(fileOf(frame), folder))}
          {position && <span class="position">:{position}</span>}
        </span>
      </button>
      {lines.length > 0 && (
        <div class="source">
          {lines.map(({ number, code, isCulprit }) => (
            <div key={number} class={isCulprit ? 'culprit' : ''}>
              <span class="number">{number}</span>
              <code>{show(code)}</code>
            </div>
          ))}
        </div>
      )}
      {isOpen && variables.length > 0 && <FactTable facts={variables} />}
    </li>
  );
}
