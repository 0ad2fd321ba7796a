/** Of the file alone: system fonts, nothing is loaded. */
export const STYLE = `:root{color-scheme:light dark;--text:light-dark(#1b1d21,#e6e7ea);--soft:light-dark(#5b616b,#a4aab5);--line:light-dark(#d9dce1,#3a3f47);--back:light-dark(#fff,#16181c);--link:light-dark(#0b57b0,#8ab8ff)}
body{margin:0 auto;max-width:46rem;padding:2rem 1.25rem 4rem;background:var(--back);color:var(--text);font:1rem/1.65 system-ui,"Noto Sans KR","Apple SD Gothic Neo","Malgun Gothic",sans-serif;overflow-wrap:anywhere}
:lang(ko){word-break:keep-all}
h1,h2,h3,h4,h5,h6{line-height:1.3;margin:2em 0 .6em}
h1{font-size:1.8rem;margin-top:0}
a{color:var(--link)}
blockquote{margin:1em 0;padding-left:1em;border-left:3px solid var(--line);color:var(--soft)}
pre,.table{overflow-x:auto}
pre{padding:.8em 1em;border:1px solid var(--line);border-radius:6px;font-size:.875rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border:1px solid var(--line);padding:.35em .6em;vertical-align:top}
.left{text-align:left}.center{text-align:center}.right{text-align:right}
hr{border:0;border-top:1px solid var(--line);margin:2em 0}
.note,.remarks,.address{color:var(--soft);font-size:.875rem}
cite{font-style:normal}
.cite{white-space:nowrap;font-size:.8em;vertical-align:.25em;text-decoration:none}
.citations>li:target{outline:2px solid var(--link);outline-offset:.3em}
@media print{body{max-width:none;padding:0}details{display:none}}
`;
