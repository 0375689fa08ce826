package pages

import (
	"thhotel/internal/access"
	"thhotel/internal/agent"
)

type toolsData struct {
	Profile  agent.Profile
	Profiles []agent.Profile
	Tools    []toolRow
	Revision string
}

type toolRow struct {
	agent.ToolInfo
	On bool
}

func tools(v *visit) error {
	if err := v.By.Require(access.ToolAdmin); err != nil {
		return err
	}
	p, err := v.s.o.Executor.Policy(v.c.Request.Context(), v.By)
	if err != nil {
		return err
	}
	snapshot := v.s.o.Registry.Snapshot()
	d := toolsData{Profile: p.Profile, Profiles: []agent.Profile{agent.ReadOnly, agent.SafeWrite}, Revision: snapshot.Revision}
	for _, info := range snapshot.Tools {
		on, switched := p.Switches[info.Name]
		d.Tools = append(d.Tools, toolRow{info, on || !switched})
	}
	return v.show("admin_tools", "admin", v.T("admin.tools"), d)
}

func setProfile(v *visit) error {
	if err := v.s.o.Executor.SetProfile(v.c.Request.Context(), v.By, agent.Profile(v.c.PostForm("profile"))); err != nil {
		return err
	}
	return v.done("/admin/tools", "done.saved")
}

func setSwitch(v *visit) error {
	if err := v.s.o.Executor.SetSwitch(v.c.Request.Context(), v.By, v.c.PostForm("tool"), v.c.PostForm("on") == "1"); err != nil {
		return err
	}
	return v.done("/admin/tools", "done.saved")
}
