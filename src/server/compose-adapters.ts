import { join } from 'node:path';
import { localFileStore } from './adapters/file-store-local/local-file-store.ts';
import { RETRY_POLICY, type RetryPolicy } from './adapters/http-retry/retry.ts';
import { loadedWhenUsed } from './adapters/loaded-when-used.ts';
import type { Config } from './config/config.ts';
import type { BreachedPasswords } from './ports/breached-passwords.ts';
import type { Downloader } from './ports/downloader.ts';
import type { FileScanner } from './ports/file-scanner.ts';
import type { FileStore } from './ports/file-store.ts';
import type { InterviewSource } from './ports/interview-source.ts';
import type { MediaInspector } from './ports/media-inspector.ts';
import type { Recordings } from './ports/recordings.ts';
import type { Summarizer } from './ports/summarizer.ts';
import type { Transcriber } from './ports/transcriber.ts';
import type { VideoHost } from './ports/video-host.ts';

/** What stands behind the ports. Null: this installation has none, and what needs it says so. */
export interface Adapters {
  files: FileStore;
  source: InterviewSource;
  downloader: Downloader;
  scanner: FileScanner | null;
  inspector: MediaInspector;
  recordings: Recordings;
  videoHost: VideoHost | null;
  transcriber: Transcriber | null;
  summarizer: Summarizer;
  breachedPasswords: BreachedPasswords | null;
}

/** Picks the adapters that the configuration asks for. Each loads at its first call: a process that never publishes does not carry it. */
export function pickAdapters(config: Config, retry: RetryPolicy = RETRY_POLICY): Adapters {
  const files = localFileStore(join(config.DATA_DIR, 'files'));
  const scanner = fileScanner(config);
  return {
    files,
    scanner,
    source: loadedWhenUsed<InterviewSource, 'page' | 'find'>(['page', 'find'], async () => {
      const { restInterviewSource } = await import('./adapters/interview-source-rest/rest-interview-source.ts');
      return restInterviewSource({ baseUrl: config.INTERVIEW_SERVICE_URL ?? '', retry });
    }),
    downloader: loadedWhenUsed<Downloader, 'download'>(['download'], async () => {
      const { httpDownloader } = await import('./adapters/http-download/http-downloader.ts');
      return httpDownloader({
        files,
        retry,
        mostVideoBytes: config.MAX_VIDEO_BYTES,
        allowPrivateHosts: config.ALLOW_PRIVATE_HOSTS ?? [],
        scanner,
      });
    }),
    inspector: loadedWhenUsed<MediaInspector, 'durationSeconds'>(['durationSeconds'], async () => {
      const { mediabunnyInspector } = await import('./adapters/media-info/mediabunny-inspector.ts');
      return mediabunnyInspector({ files });
    }),
    recordings: recordings(files),
    videoHost: videoHost(config, files, retry),
    transcriber: transcriber(config, retry),
    summarizer: summarizer(config, retry),
    breachedPasswords: breachedPasswords(config),
  };
}

function fileScanner({ CLAMD_ADDRESS: address }: Config): FileScanner | null {
  if (!address) return null;
  return loadedWhenUsed<FileScanner, 'check' | 'scan'>(['check', 'scan'], async () => {
    const { clamdScanner } = await import('./adapters/scanner-clamd/clamd-scanner.ts');
    return clamdScanner({ address });
  });
}

function recordings(files: FileStore): Recordings {
  const load = async () => {
    const { mediabunnyRecordings } = await import('./adapters/recordings-mediabunny/mediabunny-recordings.ts');
    return mediabunnyRecordings({ files });
  };
  return loadedWhenUsed<Recordings, 'look' | 'audioParts'>(['look'], load, ['audioParts']);
}

function videoHost(config: Config, files: FileStore, retry: RetryPolicy): VideoHost | null {
  const {
    YOUTUBE_CLIENT_ID: clientId,
    YOUTUBE_CLIENT_SECRET: clientSecret,
    YOUTUBE_REFRESH_TOKEN: refreshToken,
  } = config;
  if (!clientId || !clientSecret || !refreshToken) return null;
  const { YOUTUBE_API_URL: apiUrl, YOUTUBE_PRIVACY: privacy } = config;
  return {
    privacy,
    ...loadedWhenUsed<VideoHost, 'upload' | 'state' | 'remove'>(['upload', 'state', 'remove'], async () => {
      const { youtubeVideoHost } = await import('./adapters/video-host-youtube/youtube-video-host.ts');
      return youtubeVideoHost({ clientId, clientSecret, refreshToken, apiUrl, privacy, files, retry });
    }),
  };
}

function transcriber(config: Config, retry: RetryPolicy): Transcriber | null {
  const { TRANSCRIPTION_URL: url, TRANSCRIPTION_API_KEY: apiKey = '', TRANSCRIPTION_MODEL: model } = config;
  if (!url) return null;
  return loadedWhenUsed<Transcriber, 'transcribe'>(['transcribe'], async () => {
    const { openaiTranscriber } = await import('./adapters/transcriber-openai/openai-transcriber.ts');
    return openaiTranscriber({ url, apiKey, model, retry });
  });
}

function summarizer(config: Config, retry: RetryPolicy): Summarizer {
  const { SUMMARY_URL: url, SUMMARY_API_KEY: apiKey = '', SUMMARY_MODEL: model } = config;
  return loadedWhenUsed<Summarizer, 'summarize'>(['summarize'], async () => {
    if (!url) {
      const { extractiveSummarizer } = await import('./adapters/summarizer-extractive/extractive-summarizer.ts');
      return extractiveSummarizer();
    }
    const { openaiSummarizer } = await import('./adapters/summarizer-openai/openai-summarizer.ts');
    return openaiSummarizer({ url, apiKey, model, retry });
  });
}

function breachedPasswords({ BREACHED_PASSWORDS_URL: baseUrl }: Config): BreachedPasswords | null {
  if (!baseUrl) return null;
  return loadedWhenUsed<BreachedPasswords, 'has'>(['has'], async () => {
    const { breachedPasswordsRange } = await import('./adapters/breached-passwords-range/breached-passwords-range.ts');
    return breachedPasswordsRange({ baseUrl });
  });
}
