package io.longhaul.gridftp.command;

import io.longhaul.gridftp.session.Verb;
import io.longhaul.gridftp.session.Verbs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All commands by their names. ABOR is not here: the session itself answers it, before its turn. */
public final class CommandTable implements Verbs {
    private static final List<String> BUFFERS =
            List.of("RETRBUFSIZE", "RBUFSZ", "RBUFSIZ", "STORBUFSIZE", "SBUFSZ", "SBUFSIZ", "SBUF", "BUFSIZE");

    private final Map<String, Verb> verbs = new TreeMap<>();
    private final List<String> names = new ArrayList<>();

    /** Makes the table. */
    public CommandTable() {
        conversation();
        parameters();
        connections();
        transfers();
        files();
        Map<String, Verb> site = site();
        Map<String, Verb> all = new TreeMap<>(refused());
        all.putAll(site);
        verbs.put("SITE", new SiteVerb(all));
        names.addAll(verbs.keySet());
        names.add("ABOR");
        site.keySet().stream().filter(name -> !verbs.containsKey(name)).forEach(names::add);
    }

    private void path(String name, Verb verb) {
        verbs.put(name, new PathVerb(name, verb));
    }

    private void conversation() {
        verbs.put("USER", new UserVerb());
        verbs.put("PASS", new PassVerb());
        verbs.put("AUTH", new AuthVerb());
        verbs.put("PBSZ", new PbszVerb());
        verbs.put("PROT", new ProtVerb());
        verbs.put("DCAU", new DcauVerb());
        verbs.put("FEAT", new FeatVerb());
        verbs.put("HELP", new HelpVerb());
        verbs.put("OPTS", new OptsVerb());
        verbs.put("LANG", new LangVerb());
        verbs.put("CLNT", new ClientVerb());
        verbs.put("SYST", new SystVerb());
        verbs.put("NOOP", new NoopVerb());
        verbs.put("QUIT", new QuitVerb());
    }

    private void parameters() {
        verbs.put("TYPE", new TypeVerb());
        verbs.put("MODE", new ModeVerb());
        verbs.put("STRU", new StruVerb());
        verbs.put("ALLO", new AlloVerb());
        verbs.put("REST", new RestVerb());
        verbs.put("SBUF", new BufferVerb());
        verbs.put("TREV", new TrevVerb());
        verbs.put("SCKS", new ScksVerb());
    }

    private void connections() {
        verbs.put("PASV", new PasvVerb());
        verbs.put("EPSV", new EpsvVerb());
        verbs.put("SPAS", new SpasVerb());
        verbs.put("PORT", new PortVerb());
        verbs.put("EPRT", new EprtVerb());
        verbs.put("SPOR", new SporVerb());
    }

    private void transfers() {
        path("RETR", new RetrVerb());
        verbs.put("ERET", new EretVerb());
        path("STOR", new StorVerb());
        verbs.put("ESTO", new EstoVerb());
        path("APPE", new AppeVerb());
        verbs.put("STOU", new StouVerb());
        verbs.put("LIST", new ListVerb());
        verbs.put("NLST", new NlstVerb());
        verbs.put("MLSD", new MlsdVerb());
    }

    private void files() {
        verbs.put("PWD", new PwdVerb());
        verbs.put("XPWD", new PwdVerb());
        path("CWD", new CwdVerb());
        path("XCWD", new CwdVerb());
        verbs.put("CDUP", new CdupVerb());
        verbs.put("XCUP", new CdupVerb());
        path("MKD", new MkdVerb());
        path("XMKD", new MkdVerb());
        path("RMD", new RmdVerb());
        path("XRMD", new RmdVerb());
        path("DELE", new DeleVerb());
        verbs.put("RNFR", new RnfrVerb());
        path("RNTO", new RntoVerb());
        path("SIZE", new SizeVerb());
        path("MDTM", new MdtmVerb());
        verbs.put("MFMT", new MfmtVerb());
        verbs.put("MFF", new MffVerb());
        verbs.put("MLST", new MlstVerb());
        verbs.put("MLSC", new MlscVerb());
        verbs.put("STAT", new StatVerb());
        verbs.put("CKSM", new CksmVerb());
    }

    private static Map<String, Verb> site() {
        Map<String, Verb> site = new TreeMap<>();
        BUFFERS.forEach(name -> site.put(name, new BufferVerb()));
        site.put("HELP", new HelpVerb());
        site.put("CLIENTINFO", new ClientVerb());
        site.put("TASKID", new ClientVerb());
        site.put("UTIME", new UtimeVerb());
        site.put("CHMOD", new ChmodVerb());
        site.put("RDEL", new RemoveTreeVerb());
        site.put("LONGHAUL", new LonghaulVerb());
        site.put("SETNETSTACK", new StackVerb("tcp"));
        site.put("SETDISKSTACK", new DiskStackVerb());
        site.put("WHOAMI", new WhoamiVerb());
        site.put("VERSION", new VersionVerb());
        return site;
    }

    /** Not in HELP, where Globus clients look for what they may use. */
    private static Map<String, Verb> refused() {
        Verb links = new RefusingVerb("Symbolic links are not made here: they could lead out of what a user may see.");
        return Map.of(
                "SYMLINKFROM",
                links,
                "SYMLINKTO",
                links,
                "CHGRP",
                new RefusingVerb("The group of a file is the system's here."),
                "TRNC",
                new RefusingVerb("Files are written whole here: send the file again."));
    }

    @Override
    public Optional<Verb> find(String name) {
        return Optional.ofNullable(verbs.get(name));
    }

    @Override
    public List<String> names() {
        return List.copyOf(names);
    }
}
